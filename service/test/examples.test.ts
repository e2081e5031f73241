/** The programs of examples/, run unchanged against a running service. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../src/db/index.ts';
import { systemClock } from '../src/lib/clock.ts';
import { createClient } from '../src/oidc/index.ts';
import { createBrowser, decide } from './support/browser-flow.ts';
import { CHILD_FLAGS, childCache } from './support/child-node.ts';
import { openTestDatabase } from './support/databases.ts';
import { findFreePort } from './support/postgres-server.ts';
import { type RunningService, startService } from './support/running-service.ts';
import { insertUser } from './support/test-users.ts';

const FOLDER = new URL('../../examples/', import.meta.url).pathname;
const SECRET = 's'.repeat(43);

let database: Database;
let service: RunningService;
let userId: number;
let accessToken: string;
const running: ChildProcess[] = [];

beforeAll(async () => {
  database = await openTestDatabase('server');
  service = await startService(database);
  userId = await insertUser(database, { email: 'ada@example.test' });
  ({ accessToken } = await service.tokens.login(userId));
  await createClient(database, systemClock, {
    clientId: 'example-app',
    name: 'Example',
    isPublic: true,
    isFirstParty: false,
    redirectUris: ['http://127.0.0.1/callback'],
    scopes: ['openid', 'email'],
    grantTypes: ['authorization_code'],
  });
  await createClient(database, systemClock, {
    clientId: 'example-server',
    name: 'Business server',
    isPublic: false,
    isFirstParty: false,
    secret: SECRET,
    redirectUris: [],
    scopes: ['operator:rewards'],
    grantTypes: ['client_credentials'],
  });
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await service.stop();
  await database.close();
});

/** Runs a program; yields its output line by line. */
function run(name: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [...CHILD_FLAGS, `${FOLDER}${name}`], {
    env: { PATH: process.env.PATH ?? '', ...childCache(), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value);
  return { child, next };
}

test.each(['relying-party.ts', 'business-server.ts', 'device.ts'])(
  '%s has at most 50 lines',
  (name) => {
    expect(readFileSync(`${FOLDER}${name}`, 'utf8').split('\n').length).toBeLessThanOrEqual(50);
  },
);

test('the relying party signs a user in', async () => {
  const port = String(await findFreePort());
  const program = run('relying-party.ts', { ISSUER: service.baseUrl, PORT: port });
  expect(await program.next()).toBe(`open http://127.0.0.1:${port}/`);
  const browser = createBrowser(service.baseUrl);
  const start = await fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' });
  const { location } = await browser.get(start.headers.get('location') ?? '');
  const interactionId = new URL(location).searchParams.get('interaction_id') ?? '';
  const resumed = await browser.get(await decide(service.baseUrl, accessToken, interactionId));
  const page = async () => (await fetch(resumed.location)).text();
  expect(await page()).toMatch(/^Signed in as user [\w-]{43}, ada@example\.test\.$/);
  expect(await page()).toBe('This sign-in was not started here.');
});

test('the business server pays a reward once', async () => {
  const { next } = run('business-server.ts', {
    SERVICE: service.baseUrl,
    CLIENT_ID: 'example-server',
    CLIENT_SECRET: SECRET,
    USER_ID: String(userId),
  });
  const transfer = /^paid 1\.25 EDGE by transfer (\d+)$/.exec(await next())?.[1];
  expect(transfer).toBeDefined();
  expect(await next()).toBe(`sent again: transfer ${transfer}`);
  expect(await next()).toBe('another amount under the same key: 409 idempotency_key_reused');
});

test('the device is authorised by its code, registers and comes online', async () => {
  const { child, next } = run('device.ts', { SERVICE: service.baseUrl });
  const userCode = /^enter the code (\S+) at /.exec(await next())?.[1];
  const decided = await fetch(`${service.baseUrl}/oauth2/device`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ user_code: userCode, decision: 'allow' }),
  });
  expect(decided.status).toBe(204);
  expect(await next()).toMatch(/^registered as /);
  expect([await next(), await next()]).toEqual(['connecting', 'online']);
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});
