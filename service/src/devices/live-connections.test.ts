import { once } from 'node:events';
import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { BEAT, connectTo, GOOD_ORIGIN, mayPass, startDeviceNode } from '../../test/support/device-node.ts';
import { asPerson, bearer } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { type Database, transaction } from '../db/index.ts';
import { createSession, endEverything, endSession, revoke } from '../identity/index.ts';
import { systemClock } from '../lib/clock.ts';

describe.each(ENGINES)('live connections on the %s database', (engine) => {
  let database: Database;
  let node: Awaited<ReturnType<typeof startDeviceNode>>;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    node = await startDeviceNode(database, { MESSAGES_PER_SECOND: '2' });
  });
  afterAll(async () => {
    await node.stop();
    await database.close();
  });

  let count = 0;
  /** A registered device with its token. */
  async function newDevice(userId: number, { expiresAt = new Date(Date.now() + 3_600_000), clientId = 'test' } = {}) {
    const n = ++count;
    const nodeId = `live-${n}`;
    const { sid } = await transaction(database, (tx) => createSession(tx, { userId, amr: ['pwd'], authTime: new Date(), expiresAt }));
    const headers = bearer({ userId, tokenUse: 'device', scopes: ['device:connect'], jti: `${engine}-live-${n}`, sid, clientId, expiresAt });
    const answer = await node.app.inject({ method: 'PUT', url: `/me/devices/${nodeId}`, headers, payload: { device_type: 'EXTENSION' } });
    expect(answer.statusCode).toBe(200);
    return { nodeId, headers, sid };
  }
  const person = (userId: number) => asPerson(userId, 'devices:read', 'devices:write');
  const statusOf = async (userId: number) => (await node.app.inject({ url: '/me/devices', headers: person(userId) })).json().devices[0];
  const ticketFor = async (headers: { authorization: string }) =>
    (await node.app.inject({ method: 'POST', url: '/me/devices/connect-ticket', headers })).json() as { ticket: string; subprotocols: string[] };

  test('a connected device is online, and every beat is answered', async () => {
    const userId = await insertUser(database);
    const { nodeId, headers } = await newDevice(userId);
    const client = connectTo(node.url, { headers });
    await client.opened;
    expect(client.messages).toMatchObject([{ type: 'state', node_id: nodeId, status: 'online', heartbeat_interval: 30 }]);
    expect(await statusOf(userId)).toMatchObject({ status: 'online' });
    client.socket.send(BEAT);
    await once(client.socket, 'message');
    expect(client.messages[1]).toEqual({ type: 'beat' });
    client.socket.close();
    expect(await client.closed).toMatchObject({ code: 1005 });
  });

  test('disconnecting closes it with 4403 and the reason, on every node', async () => {
    const userId = await insertUser(database);
    const { nodeId, headers } = await newDevice(userId);
    const other = await startDeviceNode(database);
    const client = connectTo(other.url, { headers });
    await client.opened;
    const cut = node.app.inject({ method: 'POST', url: `/me/devices/${nodeId}/disconnect`, headers: person(userId) });
    expect(await client.closed).toEqual({ code: 4403, reason: 'disconnected by you' });
    expect((await cut).json()).toMatchObject({ status: 'disconnected' });
    expect(client.messages.at(-1)).toEqual({ type: 'disconnect', code: 4403, reason: 'disconnected by you' });
    expect(await connectTo(node.url, { headers }).refused).toMatchObject({ status: 403, body: { code: 'token_not_bound' } });
    await other.stop();
  });

  test('the end of the session, and of the token, closes it with 4401', async () => {
    const userId = await insertUser(database);
    const { headers, sid } = await newDevice(userId);
    const client = connectTo(node.url, { headers });
    await client.opened;
    await transaction(database, (tx) => endSession(tx, systemClock, { sid, reason: 'signed out' }));
    expect(await client.closed).toEqual({ code: 4401, reason: 'signed out' });
    const short = await newDevice(userId, { expiresAt: new Date(Date.now() + 1500) });
    const expiring = connectTo(node.url, { headers: short.headers });
    expect(await expiring.closed).toEqual({ code: 4401, reason: 'the token expired' });
  });

  test('what a person took back from an application, and an application that is removed, closes it with 4401 and words', async () => {
    const userId = await insertUser(database);
    const [clientId, other] = [`${engine}-app`, `${engine}-other-app`];
    const open = async (app: string) => {
      const client = connectTo(node.url, { headers: (await newDevice(userId, { clientId: app })).headers });
      await client.opened;
      return client;
    };
    const revokeAs = (kind: 'connection' | 'client', value: string, reason: string) =>
      transaction(database, (tx) => revoke(tx, systemClock, { kind, value, reason, until: new Date(Date.now() + 60_000) }));
    const [first, witness] = [await open(clientId), await open(other)];
    await revokeAs('connection', `${userId} ${clientId}`, 'connection_ended');
    expect(await first.closed).toEqual({ code: 4401, reason: 'its owner took the access of the application back' });
    // A client may be called like a person's number.
    await revokeAs('client', String(userId), 'client_removed');
    await revokeAs('client', clientId, 'client_removed');
    witness.socket.send(BEAT);
    await once(witness.socket, 'message');
    await revokeAs('client', other, 'client_removed');
    expect(await witness.closed).toEqual({ code: 4401, reason: 'the operator removed the application' });
  });

  test('a newer connection of the same device replaces the older one', async () => {
    const { headers } = await newDevice(await insertUser(database));
    const older = connectTo(node.url, { headers });
    await older.opened;
    const newer = connectTo(node.url, { headers });
    await newer.opened;
    expect(await older.closed).toMatchObject({ code: 4409 });
    newer.socket.send(BEAT);
    await once(newer.socket, 'message');
    newer.socket.terminate();
  });

  test('a ticket opens one connection from an allowed origin, once', async () => {
    const { headers } = await newDevice(await insertUser(database));
    const { subprotocols } = await ticketFor(headers);
    const evil = connectTo(node.url, { origin: 'https://evil.example' }, subprotocols);
    expect(await evil.refused).toMatchObject({ status: 403, body: { code: 'origin_refused' } });
    const clients = [1, 2, 3].map(() => connectTo(node.url, { origin: GOOD_ORIGIN }, subprotocols));
    const outcomes = await Promise.all(clients.map((client) => Promise.race([client.opened.then(() => 'open'), client.refused.then(({ body }) => body.code)])));
    expect(outcomes.sort()).toEqual(['invalid_connect_ticket', 'invalid_connect_ticket', 'open']);
    const open = clients.find((client) => client.socket.readyState === WebSocket.OPEN);
    expect(open?.socket.protocol).toBe('edge-account');
    open?.socket.terminate();
    const { ticket } = await ticketFor(headers);
    await database.query("update connect_ticket set expires_at = expires_at - interval '30 s'");
    expect(await connectTo(node.url, {}, ['edge-account', ticket]).refused).toMatchObject({ status: 401, body: { code: 'invalid_connect_ticket' } });
  });

  test('a ticket of a token that was revoked meanwhile opens nothing', async () => {
    const userId = await insertUser(database);
    const { headers, nodeId } = await newDevice(userId);
    const { subprotocols } = await ticketFor(headers);
    await node.app.inject({ method: 'POST', url: `/me/devices/${nodeId}/delete`, headers: person(userId) });
    expect(await connectTo(node.url, {}, subprotocols).refused).toMatchObject({ status: 401, body: { code: 'token_revoked' } });
  });

  test('large frames, floods and nonsense end the connection that sent them, and no other', async () => {
    const userId = await insertUser(database);
    const [good, large, flood, nonsense] = await Promise.all([newDevice(userId), newDevice(userId), newDevice(userId), newDevice(userId)]);
    const witness = connectTo(node.url, { headers: good.headers });
    await witness.opened;
    const send = async (headers: { authorization: string }, act: (socket: WebSocket) => void) => {
      const client = connectTo(node.url, { headers });
      await client.opened;
      act(client.socket);
      return (await client.closed).code;
    };
    expect(await send(large.headers, (socket) => socket.send('x'.repeat(1_000_000)))).toBe(1009);
    expect(await send(nonsense.headers, (socket) => socket.send('{"type":"traffic","bytes":1e9}'))).toBe(4400);
    expect(
      await send(flood.headers, (socket) => {
        for (let i = 0; i < 100; i++) socket.send(BEAT);
      }),
    ).toBe(4429);
    witness.socket.send(BEAT);
    await once(witness.socket, 'message');
    witness.socket.terminate();
  });

  test('what may not connect is told why', async () => {
    const userId = await insertUser(database);
    const { headers } = await newDevice(userId);
    expect((await node.app.inject({ url: '/me/devices/connect', headers })).json()).toMatchObject({ status: 426, code: 'upgrade_required' });
    expect(await connectTo(node.url).refused).toMatchObject({ status: 401, body: { code: 'missing_token' } });
    expect(await connectTo(node.url, { headers: person(userId) }).refused).toMatchObject({ body: { code: 'wrong_token_kind' } });
    const unbound = bearer({ userId, tokenUse: 'device', scopes: ['device:connect'], jti: `${engine}-unbound` });
    expect(await connectTo(node.url, { headers: unbound }).refused).toMatchObject({ status: 403, body: { code: 'token_not_bound' } });
    expect(await connectTo(node.url.replace('/me/devices/connect', '/nowhere'), { headers }).refused).toMatchObject({ status: 404 });
    expect(await connectTo(node.url, { headers, origin: 'https://evil.example' }).refused).toMatchObject({ body: { code: 'origin_refused' } });
  });

  test('a thousand connects in a second are limited, and too many connections refused', async () => {
    const userId = await insertUser(database);
    const strict = await startDeviceNode(database, { CONNECTS_PER_SECOND: '2', CONNECTIONS_PER_USER: '1' });
    const [first, second] = [await newDevice(userId), await newDevice(userId)];
    const kept = connectTo(strict.url, { headers: first.headers });
    await kept.opened;
    expect(await connectTo(strict.url, { headers: second.headers }).refused).toMatchObject({ status: 429, body: { code: 'connection_limit' } });
    const startedAt_ms = performance.now();
    const outcomes = await Promise.all(Array.from({ length: 1000 }, () => connectTo(strict.url).refused));
    expect(outcomes.filter(({ body }) => body.code !== 'rate_limited').length).toBeLessThanOrEqual(mayPass(2, startedAt_ms));
    kept.socket.send(BEAT);
    await once(kept.socket, 'message');
    await strict.stop();
    expect(await kept.closed).toMatchObject({ code: 1012 });
  });

  /** Waits until nodes have told each other what they hold. */
  const untilShared = (userId: number, count: number) =>
    expect.poll(async () => (await database.query('select 1 from live_connection where user_id = $1', [userId])).rowCount, { timeout: 10_000 }).toBe(count);

  test('limits hold for all nodes together, and a device that comes back is no further one', async () => {
    const userId = await insertUser(database);
    const limits = { CONNECTIONS_PER_USER: '2' };
    const [here, there] = [await startDeviceNode(database, limits), await startDeviceNode(database, limits)];
    const [a, b, c] = [await newDevice(userId), await newDevice(userId), await newDevice(userId)];
    const [first, second] = [connectTo(here.url, { headers: a.headers }), connectTo(here.url, { headers: b.headers })];
    await Promise.all([first.opened, second.opened]);
    await untilShared(userId, 2);
    for (const { url } of [here, there])
      expect(await connectTo(url, { headers: c.headers }).refused).toMatchObject({ status: 429, body: { code: 'connection_limit' } });

    const again = connectTo(here.url, { headers: a.headers });
    await again.opened;
    expect(await first.closed).toEqual({ code: 4409, reason: 'the device connected again' });
    // A handshake that is refused after all takes nothing from the connection that lives.
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==', 'sec-websocket-version': '99' };
    const [answer] = await once(get(here.url.replace('ws:', 'http:'), { headers: { ...a.headers, ...upgrade } }), 'response');
    expect(answer.resume()).toMatchObject({ statusCode: 400 });
    const elsewhere = connectTo(there.url, { headers: a.headers });
    await elsewhere.opened;
    expect(await again.closed).toEqual({ code: 4409, reason: 'the device connected again' });

    // A node that died, and never said so: its lease ends.
    await database.query(
      "update connection_node set alive_until = now() - interval '1 s' where node in (select node from live_connection where user_id = $1)",
      [userId],
    );
    const late = connectTo(there.url, { headers: c.headers });
    await late.opened;
    for (const { socket } of [second, elsewhere, late]) socket.terminate();
    await untilShared(userId, 0);
    await here.stop();
    await there.stop();
  });

  test('all devices of a full limit come back over a blinking network, twice, at the same node and at another', async () => {
    const userId = await insertUser(database);
    const limits = { CONNECTIONS_PER_USER: '2' };
    const [here, there] = [await startDeviceNode(database, limits), await startDeviceNode(database, limits)];
    const owned = [await newDevice(userId), await newDevice(userId)];
    const sockets: WebSocket[] = [];
    for (const url of [here.url, here.url, here.url, there.url, there.url]) {
      for (const { headers } of owned) {
        const client = connectTo(url, { headers });
        await client.opened;
        // Its end is dead: it never answers that it was told to go.
        client.socket.pause();
        sockets.push(client.socket);
      }
      if (sockets.length === 6) await untilShared(userId, 2);
    }
    expect(await connectTo(there.url, { headers: (await newDevice(userId)).headers }).refused).toMatchObject({ body: { code: 'connection_limit' } });
    for (const socket of sockets) socket.terminate();
    await here.stop();
    await there.stop();
  });

  test('a node that is gone leaves nobody online', async () => {
    const userId = await insertUser(database);
    const { headers } = await newDevice(userId);
    const gone = await startDeviceNode(database);
    const client = connectTo(gone.url, { headers });
    await client.opened;
    await expect.poll(async () => (await statusOf(userId)).status).toBe('online');
    client.socket.terminate();
    await client.closed;
    await gone.stop();
    // Only what it wrote remains, and time passes.
    await database.query("update device set bound_at = bound_at - interval '100 s' where user_id = $1", [userId]);
    await database.query("update device_presence set heard_at = heard_at - interval '90 s' where device_id = (select id from device where user_id = $1)", [
      userId,
    ]);
    await database.query('update device_list set version = version + 1 where user_id = $1', [userId]);
    await expect.poll(async () => (await statusOf(userId)).status_reason, { timeout: 3000 }).toMatch(/^no heartbeat for 9\d s$/);
    expect(await statusOf(userId)).toMatchObject({ status: 'offline' });
  });

  test('an emergency closes it with 4401 and words', async () => {
    const client = connectTo(node.url, { headers: (await newDevice(await insertUser(database))).headers });
    await client.opened;
    await transaction(database, (tx) => endEverything(tx, systemClock, 'emergency'));
    expect(await client.closed).toEqual({ code: 4401, reason: 'the operator ended every sign-in' });
  });
});
