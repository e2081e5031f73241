/** Two processes of the service on one database: limits on connections hold for both together. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Database, openServer } from '../../src/db/index.ts';
import { createMasterKey } from '../../src/master-key.ts';
import { createServerDatabase } from '../support/databases.ts';
import { findFreePort } from '../support/postgres-server.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { testConfig } from '../support/test-config.ts';
import { insertUser } from '../support/test-users.ts';
import { createTestTokens, type TestTokens } from '../support/tokens.ts';

const LIMIT = 3;
const REASON = `${LIMIT} live connections of yours are open already`;

let database: Database;
let processes: ServiceProcess[];
let tokens: TestTokens;

beforeAll(async () => {
  const [url, key, port] = [await createServerDatabase(), randomBytes(32), String(await findFreePort())];
  const shared = { DATABASE_URL: url, MASTER_KEY: key.toString('hex'), BASE_URL: `http://localhost:${port}` };
  const env = { ...shared, LOG_LEVEL: 'error', CONNECTIONS_PER_USER: String(LIMIT) };
  processes = [await startService({ ...env, PORT: port }), await startService({ ...env, PORT: String(await findFreePort()) })];
  database = await openServer({ url, poolSize: 2, onError: () => {} });
  tokens = createTestTokens(database, { config: testConfig({ PORT: port, ...shared }), masterKey: createMasterKey(key) });
});
afterAll(async () => {
  for (const process of processes) await process.dispose();
  await database.close();
});

const addressOf = ({ env }: ServiceProcess, scheme: string): string => `${scheme}://127.0.0.1:${env.PORT}/me/devices`;

/** Registers a device of this person and gives its token. */
async function newDevice(userId: number, nodeId: string): Promise<string> {
  const { deviceToken } = await tokens.login(userId);
  const [first] = processes;
  if (!first) throw new Error('no process runs');
  const headers = { authorization: `Bearer ${deviceToken}`, 'content-type': 'application/json' };
  const answer = await fetch(`${addressOf(first, 'http')}/${nodeId}`, { method: 'PUT', headers, body: '{"device_type":"TERMINAL"}' });
  expect(answer.status).toBe(200);
  return deviceToken;
}

interface Client {
  readonly socket: WebSocket;
  readonly opened: Promise<unknown>;
  /** How the service ended it; `refused` when it did not let it in. */
  ended?: { code: number; reason: string } | 'refused';
}

function connect(at: ServiceProcess, token: string): Client {
  const socket = new WebSocket(`${addressOf(at, 'ws')}/connect`, { headers: { authorization: `Bearer ${token}` } });
  const client: Client = { socket, opened: new Promise((resolve) => socket.once('message', resolve)) };
  socket.on('error', () => {
    client.ended ??= 'refused';
  });
  socket.once('close', (code, reason) => {
    client.ended ??= { code, reason: reason.toString() };
  });
  return client;
}

test('what both let in at once is no more than the limit within a second or two, and the rest is told why', async () => {
  const [mine, witness] = [await insertUser(database), await insertUser(database)];
  const devices: string[] = [];
  for (let i = 0; i < 2 * LIMIT; i++) devices.push(await newDevice(mine, `both-${i}`));
  const others = await Promise.all(processes.map(async (at, i) => connect(at, await newDevice(witness, `witness-${i}`))));
  await Promise.all(others.map(({ opened }) => opened));

  const clients = devices.map((token, i) => connect(processes[i % 2] as ServiceProcess, token));
  const living = () => clients.filter(({ ended }) => ended === undefined);
  await expect.poll(() => living().length, { timeout: 5000, interval: 20 }).toBe(LIMIT);
  for (const { ended } of clients) if (ended !== undefined && ended !== 'refused') expect(ended).toEqual({ code: 4429, reason: REASON });

  for (const { socket } of [...living(), ...others]) {
    const answered = new Promise((resolve) => socket.on('message', (data) => data.toString() === '{"type":"beat"}' && resolve(true)));
    socket.send('{"type":"beat"}');
    expect(await answered).toBe(true);
  }
  expect(living()).toHaveLength(LIMIT);
  for (const { socket } of [...clients, ...others]) socket.terminate();
});
