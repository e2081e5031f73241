/**
 * Two processes of the service on one database: each applies the requests of the other, and what a
 * killed one held is released.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Database, openServer, transaction } from '../../src/db/index.ts';
import { createMasterKey } from '../../src/master-key.ts';
import { createServerDatabase } from '../support/databases.ts';
import { findFreePort } from '../support/postgres-server.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { testConfig } from '../support/test-config.ts';
import { insertUser } from '../support/test-users.ts';
import { createTestTokens, type TestTokens } from '../support/tokens.ts';

const LIMIT = 3;
const REASON = `The limit of your live connections is reached: ${LIMIT}`;

let database: Database;
let processes: ServiceProcess[];
let tokens: TestTokens;

beforeAll(async () => {
  const [url, key, port] = [
    await createServerDatabase(),
    randomBytes(32),
    String(await findFreePort()),
  ];
  const shared = {
    DATABASE_URL: url,
    MASTER_KEY: key.toString('hex'),
    BASE_URL: `http://localhost:${port}`,
  };
  const env = {
    ...shared,
    LOG_LEVEL: 'error',
    HEARTBEAT_INTERVAL: '5',
    CONNECTIONS_PER_USER: String(LIMIT),
  };
  processes = [
    await startService({ ...env, PORT: port }),
    await startService({ ...env, PORT: String(await findFreePort()) }),
  ];
  database = await openServer({ url, poolSize: 2, onError: () => {} });
  tokens = createTestTokens(database, {
    config: testConfig({ PORT: port, ...shared }),
    masterKey: createMasterKey(key),
  });
});
afterAll(async () => {
  for (const process of processes) await process.dispose();
  await database.close();
});

const addressOf = ({ env }: ServiceProcess, scheme: string): string =>
  `${scheme}://127.0.0.1:${env.PORT}/me/devices`;

/** Sends a request to the first process. */
async function ask<T>(method: string, path: string, token: string, body?: string): Promise<T> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const answer = await fetch(addressOf(processes[0] as ServiceProcess, 'http') + path, {
    method,
    headers,
    ...(body !== undefined && { body }),
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as T;
}

/** Registers a device of this user and returns its token. */
async function newDevice(userId: number, nodeId: string): Promise<string> {
  const { deviceToken } = await tokens.login(userId);
  await ask('PUT', `/${nodeId}`, deviceToken, '{"device_type":"TERMINAL"}');
  return deviceToken;
}

interface Client {
  readonly socket: WebSocket;
  readonly opened: Promise<unknown>;
  /** The close code of the service; `refused` when the handshake was refused. */
  ended?: { code: number; reason: string } | 'refused';
}

function connect(at: ServiceProcess, token: string): Client {
  const socket = new WebSocket(`${addressOf(at, 'ws')}/connect`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const client: Client = {
    socket,
    opened: new Promise((resolve) => socket.once('message', resolve)),
  };
  socket.on('error', () => {
    client.ended ??= 'refused';
  });
  socket.once('close', (code, reason) => {
    client.ended ??= { code, reason: reason.toString() };
  });
  return client;
}

test('both instances together soon keep the limit, and the others get the reason', async () => {
  const [mine, witness] = [await insertUser(database), await insertUser(database)];
  const devices: string[] = [];
  for (let i = 0; i < 2 * LIMIT; i++) devices.push(await newDevice(mine, `both-${i}`));
  const others = await Promise.all(
    processes.map(async (at, i) => connect(at, await newDevice(witness, `witness-${i}`))),
  );
  await Promise.all(others.map(({ opened }) => opened));

  // Neither can publish its connections before both accept all that they may.
  const clients = await transaction(database, async (tx) => {
    await tx.query('lock table live_connection in share row exclusive mode');
    const opening = devices.map((token, i) => connect(processes[i % 2] as ServiceProcess, token));
    await Promise.all(opening.map(({ opened }) => opened));
    return opening;
  });
  const living = () => clients.filter(({ ended }) => ended === undefined);
  const tooMany = () => clients.flatMap(({ ended }) => ended ?? []);
  await expect
    .poll(tooMany, { interval: 20 })
    .toEqual(Array.from({ length: LIMIT }, () => ({ code: 4429, reason: REASON })));

  for (const { socket } of [...living(), ...others]) {
    const answered = new Promise((resolve) =>
      socket.on('message', (data) => data.toString() === '{"type":"beat"}' && resolve(true)),
    );
    socket.send('{"type":"beat"}');
    expect(await answered).toBe(true);
  }
  expect(living()).toHaveLength(LIMIT);
  for (const { socket } of [...clients, ...others]) socket.terminate();
});

test.each(['disconnect', 'delete'])(
  'a %s at one closes the connection at the other within a second',
  async (how) => {
    const mine = await insertUser(database);
    const { accessToken } = await tokens.login(mine);
    const client = connect(processes[1] as ServiceProcess, await newDevice(mine, `cut-${how}`));
    await client.opened;
    const closed = once(client.socket, 'close');
    const startedAt_ms = performance.now();
    await ask('POST', `/cut-${how}/${how}`, accessToken);
    await closed;
    expect(performance.now() - startedAt_ms).toBeLessThan(1000);
    expect(client.ended).toEqual({
      code: 4403,
      reason: `${how === 'delete' ? 'deleted' : 'disconnected'} by you`,
    });
  },
);

test('a killed process leaves no device online, and frees its share of the limits', async () => {
  const mine = await insertUser(database);
  const { accessToken } = await tokens.login(mine);
  const [first, second] = processes as [ServiceProcess, ServiceProcess];
  const clients: Client[] = [];
  for (let i = 0; i < LIMIT; i++)
    clients.push(connect(second, await newDevice(mine, `killed-${i}`)));
  await Promise.all(clients.map(({ opened }) => opened));
  const read = async () =>
    (
      await ask<{ devices: { status: string; status_reason: string; node_id: string }[] }>(
        'GET',
        '',
        accessToken,
      )
    ).devices;
  await expect
    .poll(async () => (await read()).map(({ status }) => status))
    .toEqual(['online', 'online', 'online']);
  await second.kill();
  await expect
    .poll(async () => (await read()).map(({ status }) => status), { interval: 250 })
    .toEqual(['offline', 'offline', 'offline']);
  for (const { status_reason } of await read())
    expect(status_reason).toMatch(/^no heartbeat for 1\d s$/);

  const late = await newDevice(mine, 'late');
  await expect
    .poll(
      async () => {
        const client = connect(first, late);
        return Promise.race([
          client.opened.then(() => 'open'),
          once(client.socket, 'error').then(() => 'refused'),
        ]);
      },
      { interval: 500 },
    )
    .toBe('open');
});
