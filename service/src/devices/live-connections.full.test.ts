import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { BEAT, connectTo, startDeviceNode } from '../../test/support/device-node.ts';
import { type LiveLab, openLiveLab } from '../../test/support/live-fixture.ts';
import { bearer } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';

describe.each(RUN_ENGINES)('live connections on the %s database', (engine) => {
  let lab: LiveLab;
  beforeAll(async () => {
    lab = await openLiveLab(engine, { MESSAGES_PER_SECOND: '2' });
  });
  afterAll(() => lab.close());

  test('a connected device is online, and every heartbeat is answered', async () => {
    const { database, newDevice, node, statusOf } = lab;
    const userId = await insertUser(database);
    const { nodeId, headers } = await newDevice(userId);
    const client = connectTo(node.url, { headers });
    await client.opened;
    expect(client.messages).toMatchObject([
      { type: 'state', node_id: nodeId, status: 'online', heartbeat_interval: 30 },
    ]);
    expect(await statusOf(userId)).toMatchObject({ status: 'online' });
    client.socket.send(BEAT);
    await once(client.socket, 'message');
    expect(client.messages[1]).toEqual({ type: 'beat' });
    client.socket.close();
    expect(await client.closed).toMatchObject({ code: 1005 });
  });

  test('a newer connection of the same device replaces the older one', async () => {
    const { database, newDevice, node } = lab;
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

  test('large frames, floods and invalid input end their own connection only', async () => {
    const { database, newDevice, node } = lab;
    const userId = await insertUser(database);
    const [good, large, flood, nonsense] = await Promise.all([
      newDevice(userId),
      newDevice(userId),
      newDevice(userId),
      newDevice(userId),
    ]);
    const witness = connectTo(node.url, { headers: good.headers });
    await witness.opened;
    const send = async (headers: { authorization: string }, act: (socket: WebSocket) => void) => {
      const client = connectTo(node.url, { headers });
      await client.opened;
      act(client.socket);
      return (await client.closed).code;
    };
    expect(await send(large.headers, (socket) => socket.send('x'.repeat(1_000_000)))).toBe(1009);
    expect(
      await send(nonsense.headers, (socket) => socket.send('{"type":"traffic","bytes":1e9}')),
    ).toBe(4400);
    expect(
      await send(flood.headers, (socket) => {
        for (let i = 0; i < 100; i++) socket.send(BEAT);
      }),
    ).toBe(4429);
    witness.socket.send(BEAT);
    await once(witness.socket, 'message');
    witness.socket.terminate();
  });

  test('a connection that is refused gets the reason', async () => {
    const { database, newDevice, node, person } = lab;
    const userId = await insertUser(database);
    const { headers } = await newDevice(userId);
    expect((await node.app.inject({ url: '/me/devices/connect', headers })).json()).toMatchObject({
      status: 426,
      code: 'upgrade_required',
    });
    expect(await connectTo(node.url).refused).toMatchObject({
      status: 401,
      body: { code: 'missing_token' },
    });
    expect(await connectTo(node.url, { headers: person(userId) }).refused).toMatchObject({
      body: { code: 'wrong_token_kind' },
    });
    const unbound = bearer({
      userId,
      tokenUse: 'device',
      scopes: ['device:connect'],
      jti: `${engine}-unbound`,
    });
    expect(await connectTo(node.url, { headers: unbound }).refused).toMatchObject({
      status: 403,
      body: { code: 'token_not_bound' },
    });
    expect(
      await connectTo(node.url.replace('/me/devices/connect', '/nowhere'), { headers }).refused,
    ).toMatchObject({ status: 404 });
    expect(
      await connectTo(node.url, { headers, origin: 'https://evil.example' }).refused,
    ).toMatchObject({ body: { code: 'origin_refused' } });
  });

  test('an instance that was killed leaves no device online', async () => {
    const { database, newDevice, statusOf } = lab;
    const userId = await insertUser(database);
    const { headers } = await newDevice(userId);
    const gone = await startDeviceNode(database);
    const client = connectTo(gone.url, { headers });
    await client.opened;
    await expect.poll(async () => (await statusOf(userId)).status).toBe('online');
    client.socket.terminate();
    await client.closed;
    await gone.stop();
    // Only its rows remain, and time passes.
    await database.query(
      "update device set bound_at = bound_at - interval '100 s' where user_id = $1",
      [userId],
    );
    await database.query(
      "update device_presence set heard_at = heard_at - interval '90 s' where device_id = " +
        '(select id from device where user_id = $1)',
      [userId],
    );
    await database.query('update device_list set version = version + 1 where user_id = $1', [
      userId,
    ]);
    await expect
      .poll(async () => (await statusOf(userId)).status_reason)
      .toMatch(/^no heartbeat for 9\d s$/);
    expect(await statusOf(userId)).toMatchObject({ status: 'offline' });
  });
});
