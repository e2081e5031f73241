import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { migrate, openServer } from '../../service/src/db/index.ts';
import { findFreePort, startPostgres } from '../../service/test/support/postgres-server.ts';
import type { BenchEntry } from '../harness/entry.ts';
import { sized } from '../harness/sizes.ts';
import { fillMillion } from '../support/fill-million.ts';

const PEOPLE = sized(1_000_000, 20_000);
const SECONDS = 3;
const MEGABYTES = 400;
const READY_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 20;
/** After it the first runs of jobs have ended. */
const SETTLED_MS = 5000;

/** The last process of the chain that npm starts: the service itself. */
function findService(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children === '' ? pid : findService(Number(children.split(' ').at(-1)));
}

/** A figure of the status of a process, in MB. */
function memoryOf(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await fetch(url).catch(() => undefined))?.ok) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error('the service did not start');
    await wait(LOOK_EVERY_MS);
  }
}

interface Start {
  readonly seconds: number;
  readonly ready_mb: number;
  /** The most that it had until its jobs had run. */
  readonly peak_mb: number;
}

/** Runs `npm start` until it is ready, and ends it. */
async function start(env: Readonly<Record<string, string>>): Promise<Start> {
  const port = String(await findFreePort());
  const startedAt_ms = performance.now();
  const child = spawn('npm', ['start', '--silent'], {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', PORT: port, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  try {
    await waitUntilReady(`http://127.0.0.1:${port}/readyz`, child);
    const seconds = (performance.now() - startedAt_ms) / 1000;
    const pid = findService(child.pid ?? 0);
    const ready_mb = memoryOf(pid, 'VmRSS');
    await wait(SETTLED_MS);
    const peak_mb = memoryOf(pid, 'VmHWM');
    process.kill(pid, 'SIGTERM');
    await exited;
    return { seconds, ready_mb, peak_mb };
  } finally {
    child.kill('SIGKILL');
  }
}

const entry: BenchEntry = {
  name: 'start-million',
  summary:
    `npm start until it is ready, with ${PEOPLE} people, a device each, their sessions and ` +
    `tokens of 90 days: time beside ${SECONDS} s, or memory beside ${MEGABYTES} MB, the farther`,
  unit: 'of the goal',
  goal: { ratio: 1, is: 'at most' },
  rounds: 3,
  missing: () => (process.platform === 'linux' ? undefined : 'reads the memory from /proc'),
  async open() {
    const postgres = await startPostgres({});
    const database = await openServer({ url: postgres.url, poolSize: 2, onError: () => {} });
    await migrate(database);
    const rows = await fillMillion(postgres.url, PEOPLE);
    await database.close();
    const dataDir = mkdtempSync(join(tmpdir(), 'edge-account-bench-'));
    const env = {
      DATABASE_URL: postgres.url,
      MASTER_KEY: Buffer.alloc(32, 7).toString('hex'),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
    };
    const starts: Start[] = [];
    return {
      async ours() {
        const measured = await start(env);
        starts.push(measured);
        return Math.max(measured.seconds / SECONDS, measured.peak_mb / MEGABYTES);
      },
      anchor: async () => 1,
      further: async () => ({
        rows,
        starts: starts
          .map(
            ({ seconds, ready_mb, peak_mb }) =>
              `${seconds.toFixed(2)} s, ${ready_mb.toFixed(0)} MB when ready, ` +
              `${peak_mb.toFixed(0)} MB at most`,
          )
          .join('; '),
      }),
      async close() {
        await postgres.stop();
        rmSync(dataDir, { recursive: true, force: true });
      },
    };
  },
};

export default entry;
