/**
 * Misbehaving devices, over HTTP and WebSocket against the whole service: refused with a reason,
 * while a witness is not affected.
 */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect as connectTcp, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type App, createApp } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import type { Database } from '../../src/db/index.ts';
import { openTestDatabase, RUN_ENGINES } from '../support/databases.ts';
import { mayPass } from '../support/device-node.ts';
import { findFreePort } from '../support/postgres-server.ts';
import { testConfig, testMasterKey } from '../support/test-config.ts';
import { insertUser } from '../support/test-users.ts';
import { createTestTokens, type TestTokens } from '../support/tokens.ts';

const BEAT = '{"type":"beat"}';
const FORM = { device_type: 'TERMINAL' };

describe.each(RUN_ENGINES)('bad input of devices on %s', (engine) => {
  let database: Database;
  let config: Config;
  let app: App;
  let tokens: TestTokens;
  let witness: Awaited<ReturnType<typeof open>>;
  /** The service's ends of the connections, by the port of the client. */
  const served = new Map<number, Socket>();

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    const port = await findFreePort();
    const limits = { CONNECTS_PER_SECOND: '5', MESSAGES_PER_SECOND: '20' };
    config = testConfig({
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}`,
      TRUSTED_PROXIES: '127.0.0.1',
      ...limits,
    });
    app = await serve(config);
    tokens = createTestTokens(database, { config });
    witness = await open((await newDevice()).token, '198.51.100.1');
  });
  afterAll(async () => {
    witness.socket.terminate();
    await app.stop();
    await database.close();
  });

  async function serve(its: Config): Promise<App> {
    const started = await createApp({ config: its, database, masterKey: testMasterKey });
    await started.start();
    await started.http.listen({ port: its.PORT, host: '127.0.0.1' });
    started.http.server.on('connection', (socket: Socket) =>
      served.set(socket.remotePort ?? 0, socket),
    );
    return started;
  }

  async function send(method: string, path: string, token: string, body?: object) {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    };
    const response = await fetch(`${config.BASE_URL}/me/devices/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  let count = 0;
  /** A registered device, its token, and its owner's. */
  async function newDevice(userId?: number) {
    const owner = userId ?? (await insertUser(database));
    const nodeId = `bad-${++count}`;
    const { accessToken, deviceToken: token } = await tokens.login(owner);
    expect(await send('PUT', nodeId, token, FORM)).toMatchObject({ status: 200 });
    return { nodeId, token, owner, accessToken };
  }

  function connect(token: string, from: string, port = config.PORT) {
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': from };
    const socket = new WebSocket(`ws://127.0.0.1:${port}/me/devices/connect`, { headers });
    socket.on('error', () => {});
    return socket;
  }

  /** A live connection, with the service's end of it. */
  async function open(token: string, from: string, servicePort = config.PORT) {
    const socket = connect(token, from, servicePort);
    let port = 0;
    socket.once('upgrade', (response) => {
      port = response.socket.localPort ?? 0;
    });
    const messages: { type: string; code?: number; reason?: string }[] = [];
    socket.on('message', (data) => messages.push(JSON.parse(data.toString())));
    const closed = once(socket, 'close').then(([code, reason]) => ({
      code: code as number,
      reason: String(reason),
    }));
    await once(socket, 'message');
    const end = served.get(port);
    if (!end) throw new Error('the connection is not known to the service');
    return { socket, messages, closed, end };
  }

  /** The witness was not disturbed: its first connection still answers. */
  async function expectUndisturbed(): Promise<void> {
    const before = witness.messages.length;
    witness.socket.send(BEAT);
    const cut = witness.closed.then(({ reason }) =>
      Promise.reject(new Error(`the witness was cut off: ${reason}`)),
    );
    await Promise.race([once(witness.socket, 'message'), cut]);
    expect(witness.messages.slice(before).at(-1)).toEqual({ type: 'beat' });
  }

  test('unknown devices, devices of other users and tokens of other devices', async () => {
    const [mine, other] = [await newDevice(), await newDevice()];
    for (const action of ['disconnect', 'delete'])
      for (const node of ['unknown', other.nodeId])
        expect(await send('POST', `${node}/${action}`, mine.accessToken)).toMatchObject({
          status: 404,
          body: { code: 'not_found' },
        });
    expect(await send('GET', other.nodeId, mine.accessToken)).toMatchObject({ status: 404 });
    expect(await send('POST', `${other.nodeId}/heartbeat`, mine.token)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
    expect(await send('PUT', other.nodeId, mine.token, FORM)).toMatchObject({ status: 403 });
    const spare = await newDevice(mine.owner);
    expect(await send('POST', `${mine.nodeId}/heartbeat`, spare.token)).toMatchObject({
      status: 403,
    });
    expect(await send('POST', `${mine.nodeId}/heartbeat`, mine.token)).toMatchObject({
      status: 200,
    });
    await expectUndisturbed();
  });

  test('10,000 capabilities', async () => {
    const { nodeId, token } = await newDevice();
    const capabilities = Array.from({ length: 10_000 }, (_, i) => `c${i}`);
    expect(await send('PUT', nodeId, token, { ...FORM, capabilities })).toMatchObject({
      status: 413,
      body: { code: 'body_too_large' },
    });
    expect(
      await send('PUT', nodeId, token, { ...FORM, capabilities: capabilities.slice(0, 33) }),
    ).toMatchObject({
      status: 400,
      body: { code: 'invalid_parameter', errors: [{ field: 'capabilities' }] },
    });
    await expectUndisturbed();
  });

  test('a frame of 1 MB', async () => {
    const { socket, closed, messages } = await open((await newDevice()).token, '198.51.100.2');
    socket.send('x'.repeat(1_000_000));
    expect(await closed).toEqual({ code: 1009, reason: 'a message of more than 4096 bytes' });
    expect(messages.at(-1)).toEqual({
      type: 'disconnect',
      code: 1009,
      reason: 'a message of more than 4096 bytes',
    });
    await expectUndisturbed();
  });

  test('a client that never reads gets the reason, and is disconnected', async () => {
    // A second between two pings, in a process of its own: a busy machine may delay the answers of
    // others.
    const eager = { ...config, PORT: await findFreePort(), HEARTBEAT_INTERVAL: 1 };
    const strict = await serve(eager);
    const { socket, messages, end } = await open(
      (await newDevice()).token,
      '198.51.100.3',
      eager.PORT,
    );
    const cut = once(end, 'close');
    socket.pause();
    const beating = setInterval(() => socket.send(BEAT, () => {}), 400);
    await cut;
    clearInterval(beating);
    socket.resume();
    await once(socket, 'close');
    expect(messages.at(-1)).toEqual({
      type: 'disconnect',
      code: 4408,
      reason: 'a ping was not answered for 1 s',
    });
    await expectUndisturbed();
    await strict.stop();
  });

  /** A client frame with a text; the mask changes nothing. */
  const frame = (text: string): Buffer =>
    Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);

  test('a flood by a client that is too busy to read gets the reason, once it reads', async () => {
    const { token } = await newDevice();
    const { port, hostname } = new URL(config.BASE_URL);
    const client = connectTcp({ port: Number(port), host: hostname });
    const failed = once(client, 'error').then(([error]) => String(error));
    const upgrade =
      'connection: upgrade\r\nupgrade: websocket\r\n' +
      'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-version: 13';
    client.write(
      `GET /me/devices/connect HTTP/1.1\r\nhost: ${hostname}\r\n${upgrade}\r\n` +
        `authorization: Bearer ${token}\r\nx-forwarded-for: 198.51.100.4\r\n\r\n`,
    );
    await once(client, 'data');
    client.pause();
    const flood = Buffer.concat(Array.from({ length: 100 }, () => frame(BEAT)));
    // Longer than the close handshake of a connection that is ended for another reason.
    for (const until = performance.now() + 2000; performance.now() < until; ) {
      client.write(flood);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const read = client
      .toArray()
      .then((chunks: Buffer[]) => Buffer.concat(chunks).toString('latin1'));
    expect(await Promise.race([read, failed])).toContain(
      `\x88\x13${String.fromCharCode(4429 >> 8, 4429 & 0xff)}too many messages`,
    );
    await expectUndisturbed();
  });

  /** The result of a connect: `open`, or the reason of the refusal. */
  async function tryToConnect(token: string, from: string): Promise<string> {
    const socket = connect(token, from);
    const opened = once(socket, 'open').then(() => 'open');
    const refused = once(socket, 'unexpected-response').then(async ([, response]) => {
      const chunks: Buffer[] = await (response as IncomingMessage).toArray();
      return (JSON.parse(Buffer.concat(chunks).toString()) as { code: string }).code;
    });
    const outcome = await Promise.race([opened, refused]);
    socket.terminate();
    return outcome;
  }

  test('1,000 connects in a second from one address', async () => {
    const { token } = await newDevice();
    const startedAt_ms = performance.now();
    const outcomes = await Promise.all(
      Array.from({ length: 1000 }, () => tryToConnect(token, '198.51.100.5')),
    );
    expect(new Set(outcomes)).toEqual(new Set(['open', 'rate_limited']));
    expect(outcomes.filter((outcome) => outcome !== 'rate_limited').length).toBeLessThanOrEqual(
      mayPass(5, startedAt_ms),
    );
    expect(await tryToConnect((await newDevice()).token, '198.51.100.6')).toBe('open');
    await expectUndisturbed();
  });

  test('a client that is refused cannot keep the connection', async () => {
    const { port, hostname } = new URL(config.BASE_URL);
    const client = connectTcp({ port: Number(port), host: hostname, allowHalfOpen: true });
    await once(client, 'connect');
    const end = served.get(client.localPort ?? 0);
    if (!end) throw new Error('the connection is not known to the service');
    const closed = once(end, 'close');
    client.write(
      `GET /me/devices/connect HTTP/1.1\r\nhost: ${hostname}\r\n` +
        'connection: upgrade\r\nupgrade: websocket\r\n\r\n',
    );
    const [answer] = (await once(client, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 401 /);
    await closed;
    client.destroy();
  });
});
