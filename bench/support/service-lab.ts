/**
 * The service as its operators run it, for load over HTTP: one process of its own started by
 * `serve` with all roles, on a PostgreSQL that syncs at each commit. Its log goes nowhere, but is
 * written (`LOG_LEVEL` as in the environment).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Database, migrate, openServer } from '../../service/src/db/index.ts';
import { installLedger } from '../../service/src/ledger/index.ts';
import { systemClock } from '../../service/src/lib/clock.ts';
import { createClient, OPERATOR_SCOPES } from '../../service/src/oidc/index.ts';
import { findFreePort, startPostgres } from '../../service/test/support/postgres-server.ts';
import { testConfig, testMasterKey } from '../../service/test/support/test-config.ts';
import { createTestTokens, type TestTokens } from '../../service/test/support/tokens.ts';
import type { MeasuredProcesses } from '../harness/processor-time.ts';
import { readPostmaster } from './lab-database.ts';

const MAIN = new URL('../../service/src/main.ts', import.meta.url).pathname;
const READY_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 20;
const STOP_WITHIN_MS = 15_000;
/** The key of `testMasterKey`. */
const MASTER_KEY = Buffer.alloc(32, 7).toString('hex');

export interface ServiceLab {
  readonly baseUrl: string;
  readonly port: number;
  /** The lab's own connections, for filling and looking. */
  readonly database: Database;
  readonly databaseUrl: string;
  /** Whose processor time counts. */
  readonly processes: MeasuredProcesses;
  readonly tokens: TestTokens;
  /** A fresh token of an operator's client, got like a business server gets it. */
  operatorToken(): Promise<string>;
  close(): Promise<void>;
}

export interface ServiceLabOptions {
  /** Added to the environment of the service. */
  readonly env?: Readonly<Record<string, string>>;
  /** Fills the database before the service starts. */
  fill?(database: Database): Promise<void>;
}

function spawnService(env: Readonly<Record<string, string>>): ChildProcess {
  const given = {
    PATH: process.env.PATH ?? '',
    LOG_LEVEL: process.env.LOG_LEVEL ?? '',
    NODE_OPTIONS: process.env.SERVICE_NODE_OPTIONS ?? '',
  };
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, 'serve'], {
    env: { ...given, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // A benchmark that fails must not leave it running.
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
}

async function waitUntilReady(baseUrl: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const answer = await fetch(`${baseUrl}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    if (child.exitCode !== null || child.signalCode !== null || performance.now() > deadline)
      throw new Error('the service did not start');
    await wait(LOOK_EVERY_MS);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  await exited;
  clearTimeout(timer);
}

/**
 * Registers a client with all operators' scopes; gives a function that asks for a token with its
 * secret.
 */
async function createOperator(database: Database, baseUrl: string): Promise<() => Promise<string>> {
  const { client, secret } = await createClient(database, systemClock, {
    name: 'Bench',
    isPublic: false,
    redirectUris: [],
    scopes: OPERATOR_SCOPES,
    grantTypes: ['client_credentials'],
    isFirstParty: true,
  });
  const authorization = `Basic ${Buffer.from(`${client.clientId}:${secret}`).toString('base64')}`;
  return async () => {
    const body = new URLSearchParams({ grant_type: 'client_credentials' });
    const answer = await fetch(`${baseUrl}/oauth2/token`, {
      method: 'POST',
      headers: { authorization },
      body,
    });
    if (!answer.ok) throw new Error(`no operator's token: ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { access_token: string }).access_token;
  };
}

/** Starts database and service. */
export async function openServiceLab({
  env = {},
  fill,
}: ServiceLabOptions = {}): Promise<ServiceLab> {
  const postgres = await startPostgres({});
  const database = await openServer({ url: postgres.url, poolSize: 4, onError: () => {} });
  await migrate(database);
  installLedger(database, { clock: systemClock, masterKey: testMasterKey });
  await fill?.(database);
  const port = await findFreePort();
  const dataDir = mkdtempSync(join(tmpdir(), 'edge-account-bench-'));
  const settings = {
    PORT: `${port}`,
    DATABASE_URL: postgres.url,
    MASTER_KEY,
    DATA_DIR: dataDir,
    ...env,
  };
  const config = testConfig(settings);
  const child = spawnService(settings);
  await waitUntilReady(config.BASE_URL, child);
  return {
    baseUrl: config.BASE_URL,
    port,
    database,
    databaseUrl: postgres.url,
    processes: { service: child.pid, postmaster: await readPostmaster(database) },
    tokens: createTestTokens(database, { config }),
    operatorToken: await createOperator(database, config.BASE_URL),
    async close() {
      await stop(child);
      await database.close();
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
