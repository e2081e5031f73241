/**
 * The wire protocol of devices: the test vectors match the code, the running service answers the
 * messages like the vectors, and a device in Python agrees with them and runs the whole protocol.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { on, once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Database } from '../../src/db/index.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import { openTestDatabase } from '../support/databases.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { insertDevice } from '../support/test-devices.ts';
import { insertUser } from '../support/test-users.ts';
import { MESSAGES, renderVectors } from './render-vectors.ts';
import { RECEIVED_AT, REPORTED, renderTrafficVectors, WINDOW_S } from './traffic-vectors.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;
const VECTORS = `${ROOT}docs/guides/device-protocol.json`;
const PROGRAM = `${ROOT}examples/python-device/device.py`;
const TEXT_FRAME = 0x81;

let database: Database;
let service: RunningService;
const programs: ChildProcess[] = [];
/** Network sockets of live connections, at the service. */
const sockets: Socket[] = [];

beforeAll(async () => {
  database = await openTestDatabase('server');
  service = await startService(database, { env: { HEARTBEAT_INTERVAL: '5' } });
  service.app.http.server.on('upgrade', (_request, socket: Socket) => sockets.push(socket));
});
afterAll(async () => {
  for (const program of programs) program.kill('SIGKILL');
  await service.stop();
  await database.close();
});

async function call(method: string, path: string, token: string, body?: object) {
  const response = await fetch(`${service.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.ok, `${method} ${path}`).toBe(true);
  return response.status === 204 ? undefined : response.json();
}

test('the test vectors match the code', async () => {
  expect(JSON.parse(readFileSync(VECTORS, 'utf8'))).toEqual(await renderVectors());
});

test.each(MESSAGES)('the service answers the message $text like the vectors', async (message) => {
  const { deviceToken } = await service.tokens.login(await insertUser(database));
  const nodeId = `vector-${MESSAGES.indexOf(message)}`;
  await call('PUT', `/me/devices/${nodeId}`, deviceToken, { device_type: 'TERMINAL' });
  const socket = new WebSocket(`${service.baseUrl.replace('http', 'ws')}/me/devices/connect`, {
    headers: { authorization: `Bearer ${deviceToken}` },
  });
  const closed = once(socket, 'close') as Promise<[code: number]>;
  const [state] = await once(socket, 'message');
  expect(JSON.parse(String(state))).toEqual({
    type: 'state',
    node_id: nodeId,
    status: 'online',
    heartbeat_interval: 5,
    server_time: expect.any(String),
  });
  const answered = once(socket, 'message');
  socket.send(message.text);
  const [answer] = await answered;
  if ('answer' in message) expect(String(answer)).toBe(message.answer);
  else {
    expect(JSON.parse(String(answer))).toMatchObject({ type: 'disconnect', code: message.closes });
    expect((await closed)[0]).toBe(message.closes);
  }
  socket.terminate();
});

test('the service judges the reports of the vectors, and counts their bytes by hour', async () => {
  const own = await openTestDatabase('server');
  const relayed = await startService(own, {
    clock: createManualClock(RECEIVED_AT),
    env: { TRAFFIC_REPORT_WINDOW: String(WINDOW_S) },
  });
  const userId = await insertUser(own);
  const { node_id: nodeId, registered_at, revoked } = REPORTED;
  const createdAt = new Date(registered_at);
  const { deviceId } = await insertDevice(own, userId, { nodeId, createdAt });
  await own.query('insert into device_gap (device_id, from_at, to_at) values ($1, $2, $3)', [
    deviceId,
    revoked.from,
    revoked.to,
  ]);
  const { reports } = renderTrafficVectors();
  const send = async (method: string, path: string, token: string, body?: object) => {
    const response = await fetch(`${relayed.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(response.status, path).toBe(200);
    return (await response.json()) as { results: unknown[]; hours: { hour: string }[] };
  };
  const relay = await relayed.tokens.operator('operator:traffic');
  const bodies = reports.map(({ report }) => report);
  const { results } = await send('POST', '/operator/traffic-reports', relay, { reports: bodies });
  expect(results).toMatchObject(reports.map(({ result }) => result));
  const { accessToken } = await relayed.tokens.login(userId);
  const usage = await send('GET', `/me/devices/${nodeId}/usage`, accessToken);
  const counted = new Map<string, { bytes_up: number; bytes_down: number }>();
  for (const { hour, bytes_up, bytes_down } of reports.flatMap(({ hours }) => hours || [])) {
    const before = counted.get(hour) ?? { bytes_up: 0, bytes_down: 0 };
    counted.set(hour, {
      bytes_up: before.bytes_up + bytes_up,
      bytes_down: before.bytes_down + bytes_down,
    });
  }
  expect(counted.size).toBe(26);
  expect(Object.fromEntries(usage.hours.map((each) => [each.hour, each]))).toEqual(
    Object.fromEntries([...counted].map(([hour, bytes]) => [hour, expect.objectContaining(bytes)])),
  );
  await relayed.stop();
  await own.close();
});

const hasPython = spawnSync('python3', ['--version']).status === 0;
const reason = hasPython ? '' : ' (skipped: there is no python3 on this machine)';

test.runIf(hasPython)(`the device in Python agrees with the vectors${reason}`, async () => {
  const script = PROGRAM.replace('device.py', 'check_vectors.py');
  const { stdout } = await promisify(execFile)('python3', ['-B', script, VECTORS]);
  expect(stdout).toMatch(/^(\d+) of \1 checks agree\n$/);
  expect(Number.parseInt(stdout, 10)).toBeGreaterThan(45);
});

/** Starts the device; yields its output line by line. */
function startDevice() {
  const program = spawn('python3', ['-B', PROGRAM], {
    env: { PATH: process.env.PATH ?? '', SERVICE: service.baseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  programs.push(program);
  const lines = createInterface(program.stdout)[Symbol.asyncIterator]();
  return { program, next: async () => String((await lines.next()).value) };
}

test.runIf(hasPython)(
  `the device in Python signs in, sends heartbeats, reconnects, stops when revoked${reason}`,
  async () => {
    const { accessToken } = await service.tokens.login(await insertUser(database));
    const { program, next } = startDevice();
    const userCode = /^enter the code (\S+) at /.exec(await next())?.[1];
    await call('POST', '/oauth2/device', accessToken, { user_code: userCode, decision: 'allow' });
    expect(await next()).toMatch(/^registered as /);
    expect(await next()).toBe('online');
    const { devices } = (await call('GET', '/me/devices', accessToken)) as {
      devices: { node_id: string; status: string }[];
    };
    expect(devices).toMatchObject([{ status: 'online' }]);
    // Its heartbeat, between the answers to pings.
    const socket = sockets.at(-1) as Socket;
    for await (const [data] of on(socket, 'data')) if ((data as Buffer)[0] === TEXT_FRAME) break;
    socket.destroy();
    expect(await next()).toBe('waiting: the connection was lost');
    expect(await next()).toBe('online');
    await call('POST', `/me/devices/${devices[0]?.node_id}/disconnect`, accessToken);
    expect(await next()).toMatch(/^ended: 4403 disconnected by /);
    const [code] = await once(program, 'exit');
    expect(code).toBe(0);
  },
);
