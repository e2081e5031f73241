/**
 * The service as a separate process: started, killed and restarted.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CHILD_FLAGS, childCache } from './child-node.ts';
import { findFreePort } from './postgres-server.ts';
import { CHEAP_HASHES } from './test-config.ts';

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname;
const READY_TIMEOUT_MS = 60_000;

export interface ServiceProcess {
  readonly baseUrl: string;
  readonly dataDir: string;
  /** Its process, for signals other than those below. */
  readonly pid: number;
  /** The environment it runs with, for commands beside it. */
  readonly env: Readonly<Record<string, string>>;
  /** Its output so far. */
  output(): string;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again on the same data and port. */
  start(): Promise<void>;
  /** Stops it and removes its data. */
  dispose(): Promise<void>;
}

function spawnNode(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  main = MAIN,
): ChildProcess {
  return spawn(process.execPath, [...CHILD_FLAGS, main, ...args], {
    env: { PATH: process.env.PATH ?? '', ...childCache(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs one command of the command line to its end. `isRead: false`: its output is not read, like a
 * pipe into a program that has exited. `main`: the program of another version.
 */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { isRead = true, main = MAIN } = {},
): Promise<CommandResult> {
  const child = spawnNode(args, env, main);
  if (!isRead) child.stdout?.destroy();
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout, stderr };
}

/**
 * Polls `/readyz` until it responds; bounded. The other process cannot notify this one.
 */
async function waitUntilReady(
  baseUrl: string,
  child: ChildProcess,
  output: () => string,
): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    const response = await fetch(`${baseUrl}/readyz`).catch(() => undefined);
    if (response?.ok) return;
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline)
      throw new Error(`the service did not start:\n${output()}`);
    await wait(20);
  }
}

/**
 * Starts the service on a free port with its own data directory; `env` is added to its environment.
 * @param main the program; of another version, for example
 */
export async function startService(
  env: Readonly<Record<string, string>> = {},
  main = MAIN,
): Promise<ServiceProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'edge-account-service-'));
  const port = env.PORT ?? String(await findFreePort());
  const masterKey: Record<string, string> =
    env.DATABASE_URL === undefined ? {} : { MASTER_KEY: randomBytes(32).toString('hex') };
  const complete = { DATA_DIR: dataDir, PORT: port, ...CHEAP_HASHES, ...masterKey, ...env };
  const baseUrl = env.BASE_URL ?? `http://localhost:${port}`;
  let child: ChildProcess;
  let text = '';

  function exited(): Promise<number | null> {
    if (child.exitCode !== null || child.signalCode !== null)
      return Promise.resolve(child.exitCode);
    return new Promise((resolve) => child.once('close', resolve));
  }
  const keep = (chunk: Buffer): void => {
    text += chunk.toString();
  };
  async function start(): Promise<void> {
    child = spawnNode(['serve'], complete, main);
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    // Its own address: the public one may be another instance's.
    await waitUntilReady(`http://127.0.0.1:${port}`, child, () => text);
  }
  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const done = exited();
    child.kill(signal);
    return done;
  }

  await start();
  return {
    baseUrl,
    dataDir,
    get pid() {
      return child.pid ?? 0;
    },
    env: complete,
    output: () => text,
    start,
    stop: () => end('SIGTERM'),
    async kill() {
      await end('SIGKILL');
    },
    async dispose() {
      await end('SIGKILL');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
