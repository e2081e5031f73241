/** The programs of examples/, run unchanged against a running service. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, transaction } from '../src/db/index.ts';
import { systemClock } from '../src/lib/clock.ts';
import { createClient, putResourceServer } from '../src/oidc/index.ts';
import { askToken, createBrowser, decide } from './support/browser-flow.ts';
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
  service = await startService(database, { env: { OUTGOING_LOOPBACK: 'allow' } });
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
    scopes: ['operator:rewards', 'operator:traffic'],
    grantTypes: ['client_credentials'],
  });
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await service.stop();
  await database.close();
});

async function callAs(token: string, method: string, path: string, body?: object) {
  const response = await fetch(`${service.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.ok, text).toBe(true);
  return JSON.parse(text) as Record<string, unknown>;
}

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

const PROGRAMS = readdirSync(FOLDER).filter((name) => name.endsWith('.ts'));

test.each(PROGRAMS)('%s has at most 50 lines, and a guide', (name) => {
  expect(readFileSync(`${FOLDER}${name}`, 'utf8').split('\n').length).toBeLessThanOrEqual(50);
  const guides = globSync(`${FOLDER}../docs/{guides/,}*.md`).filter((guide) =>
    readFileSync(guide, 'utf8').includes(`](../../examples/${name})`),
  );
  expect(guides).toHaveLength(1);
});

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

test('the API takes its own tokens, with its own scope', async () => {
  const audience = 'https://orders.example.com';
  const scopes = ['orders:read', 'orders:write'];
  const settings = {
    ...{ id: 'orders', name: 'Orders', audience, isEnabled: true },
    scopes: scopes.map((name) => ({ name, description: name })),
  };
  await transaction(database, (tx) =>
    putResourceServer(tx, { clock: systemClock, issuer: service.baseUrl }, settings),
  );
  await createClient(database, systemClock, {
    ...{ clientId: 'shop', name: 'Shop', isPublic: false, isFirstParty: false, secret: SECRET },
    ...{ redirectUris: [], scopes, grantTypes: ['client_credentials'] },
  });
  const tokenWith = async (form: Record<string, string>): Promise<string> => {
    const { body } = await askToken(
      service.baseUrl,
      { grant_type: 'client_credentials', ...form },
      { authorization: `Basic ${Buffer.from(`shop:${SECRET}`).toString('base64')}` },
    );
    return body.access_token ?? '';
  };
  const port = await findFreePort();
  const env = { ISSUER: service.baseUrl, AUDIENCE: audience, PORT: String(port) };
  const { next } = run('protected-api.ts', env);
  const url = `http://127.0.0.1:${port}/`;
  expect(await next()).toBe(`listening at ${url}`);
  const call = (token: string) => fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const answer = await call(await tokenWith({ resource: audience, scope: 'orders:read' }));
  expect(await answer.json()).toEqual({ of: 'shop', client: 'shop', orders: [] });
  const less = await call(await tokenWith({ resource: audience, scope: 'orders:write' }));
  expect(less.status).toBe(403);
  expect((await call(accessToken)).status).toBe(401);
  expect((await call('none')).status).toBe(401);
});

test('the relay reports traffic, and repeats it without effect', async () => {
  const { deviceToken } = await service.tokens.login(userId);
  await callAs(deviceToken, 'PUT', '/me/devices/measured', { device_type: 'TERMINAL' });
  const { next } = run('traffic-relay.ts', {
    SERVICE: service.baseUrl,
    CLIENT_ID: 'example-server',
    CLIENT_SECRET: SECRET,
    NODE_ID: 'measured',
  });
  const lines = [await next(), await next(), await next(), await next()];
  expect(lines).toEqual([
    'measured: accepted',
    'no-such-node: refused unknown_node',
    'measured: replayed',
    'no-such-node: refused unknown_node',
  ]);
  const device = await callAs(accessToken, 'GET', '/me/devices/measured');
  expect(device).toMatchObject({ traffic_gb: 0.005 });
});

test('the receiver verifies webhooks, and takes each event once', async () => {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}/`;
  const operator = await service.tokens.operator('operator:webhooks');
  const form = { url, description: 'example', event_types: ['device.*'] };
  const webhook = await callAs(operator, 'POST', '/operator/webhooks', form);
  const env = { PORT: String(port), WEBHOOK_SECRET: String(webhook.secret) };
  const { next } = run('webhook-receiver.ts', env);
  expect(await next()).toBe(`listening at ${url}`);
  const forged = await fetch(url, {
    method: 'POST',
    headers: {
      'webhook-id': '1',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
    },
    body: '{"type":"forged","data":{}}',
  });
  expect(forged.status).toBe(401);
  const { deviceToken } = await service.tokens.login(userId);
  const register = (node: string) =>
    callAs(deviceToken, 'PUT', `/me/devices/${node}`, { device_type: 'TERMINAL' });
  await register('announced');
  const first = await next();
  expect(first).toMatch(/^device\.registered \{.*"node_id":"announced"/);
  const deliveries = `/operator/webhooks/${webhook.id}/deliveries`;
  const { records } = await callAs(operator, 'GET', `${deliveries}?current=1&size=1`);
  const [{ id }] = records as [{ id: number }];
  await callAs(operator, 'POST', `${deliveries}/${id}/redeliver`);
  await callAs(operator, 'POST', `/operator/webhooks/${webhook.id}/test`);
  // The repeated message is not printed again.
  expect(await next()).not.toBe(first);
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
