import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { BEAT, connectTo, mayPass, startDeviceNode } from '../../test/support/device-node.ts';
import { type LiveLab, openLiveLab } from '../../test/support/live-fixture.ts';
import { insertUser } from '../../test/support/test-users.ts';

describe.each(RUN_ENGINES)('limits on live connections on the %s database', (engine) => {
  let lab: LiveLab;
  beforeAll(async () => {
    lab = await openLiveLab(engine);
  });
  afterAll(() => lab.close());

  /** Waits until instances have published their connections. */
  const untilShared = (userId: number, count: number) =>
    expect
      .poll(
        async () =>
          (await lab.database.query('select 1 from live_connection where user_id = $1', [userId]))
            .rowCount,
      )
      .toBe(count);

  test('a thousand connects a second are limited, and the excess is refused', async () => {
    const { database, newDevice } = lab;
    const userId = await insertUser(database);
    const strict = await startDeviceNode(database, {
      CONNECTS_PER_SECOND: '2',
      CONNECTIONS_PER_USER: '1',
    });
    const [first, second] = [await newDevice(userId), await newDevice(userId)];
    const kept = connectTo(strict.url, { headers: first.headers });
    await kept.opened;
    const full = {
      ratelimit: '"connections-user";r=0;t=30',
      'ratelimit-policy': '"connections-user";q=1',
      'retry-after': '30',
    };
    expect(await connectTo(strict.url, { headers: second.headers }).refused).toMatchObject({
      status: 429,
      headers: full,
      body: { code: 'connection_limit' },
    });
    const startedAt_ms = performance.now();
    const outcomes = await Promise.all(
      Array.from({ length: 1000 }, () => connectTo(strict.url).refused),
    );
    expect(outcomes.filter(({ body }) => body.code !== 'rate_limited').length).toBeLessThanOrEqual(
      mayPass(2, startedAt_ms),
    );
    const policy = {
      ratelimit: '"connect";r=0;t=1',
      'ratelimit-policy': '"connect";q=20;w=10',
      'retry-after': '1',
    };
    expect(outcomes.find(({ body }) => body.code === 'rate_limited')).toMatchObject({
      status: 429,
      headers: policy,
    });
    kept.socket.send(BEAT);
    await once(kept.socket, 'message');
    await strict.stop();
    expect(await kept.closed).toMatchObject({ code: 1012 });
  });

  test('limits hold for all instances together; a device that returns counts once', async () => {
    const { database, newDevice } = lab;
    const userId = await insertUser(database);
    const limits = { CONNECTIONS_PER_USER: '2' };
    const [here, there] = [
      await startDeviceNode(database, limits),
      await startDeviceNode(database, limits),
    ];
    const [a, b, c] = [await newDevice(userId), await newDevice(userId), await newDevice(userId)];
    const [first, second] = [
      connectTo(here.url, { headers: a.headers }),
      connectTo(here.url, { headers: b.headers }),
    ];
    await Promise.all([first.opened, second.opened]);
    await untilShared(userId, 2);
    for (const { url } of [here, there])
      expect(await connectTo(url, { headers: c.headers }).refused).toMatchObject({
        status: 429,
        body: { code: 'connection_limit' },
      });

    const again = connectTo(here.url, { headers: a.headers });
    await again.opened;
    expect(await first.closed).toEqual({ code: 4409, reason: 'the device connected again' });
    // A handshake that is refused later has no effect on the live connection.
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      'sec-websocket-version': '99',
    };
    const [answer] = await once(
      get(here.url.replace('ws:', 'http:'), { headers: { ...a.headers, ...upgrade } }),
      'response',
    );
    expect(answer.resume()).toMatchObject({ statusCode: 400 });
    const elsewhere = connectTo(there.url, { headers: a.headers });
    await elsewhere.opened;
    expect(await again.closed).toEqual({ code: 4409, reason: 'the device connected again' });

    for (const { socket } of [second, elsewhere]) socket.terminate();
    await untilShared(userId, 0);
    await here.stop();
    await there.stop();
  });

  test('connections of a killed instance count until its lease ends', async () => {
    const { database, newDevice } = lab;
    const userId = await insertUser(database);
    const node = await startDeviceNode(database, { CONNECTIONS_PER_USER: '1' });
    const [held, other] = [await newDevice(userId), await newDevice(userId)];
    const dead = randomUUID();
    await database.query(
      "insert into connection_node (node, alive_until) values ($1, now() + interval '1 hour')",
      [dead],
    );
    await database.query(
      `insert into live_connection (device_id, user_id, address, node, number)
         select id, $1, '192.0.2.1', $2, nextval('live_connection_number') from device where
           node_id = $3`,
      [userId, dead, held.nodeId],
    );
    expect(await connectTo(node.url, { headers: other.headers }).refused).toMatchObject({
      status: 429,
      body: { code: 'connection_limit' },
    });
    await database.query(
      "update connection_node set alive_until = now() - interval '1 s' where node = $1",
      [dead],
    );
    const late = connectTo(node.url, { headers: other.headers });
    await late.opened;
    late.socket.terminate();
    await node.stop();
  });

  test(
    'all devices of a full limit come back over a blinking network, twice, at the same ' +
      'node and at another',
    async () => {
      const { database, newDevice } = lab;
      const userId = await insertUser(database);
      const limits = { CONNECTIONS_PER_USER: '2' };
      const [here, there] = [
        await startDeviceNode(database, limits),
        await startDeviceNode(database, limits),
      ];
      const owned = [await newDevice(userId), await newDevice(userId)];
      const sockets: WebSocket[] = [];
      for (const url of [here.url, here.url, here.url, there.url, there.url]) {
        for (const { headers } of owned) {
          const client = connectTo(url, { headers });
          await client.opened;
          // Its peer is gone: it never confirms the eviction.
          client.socket.pause();
          sockets.push(client.socket);
        }
        if (sockets.length === 6) await untilShared(userId, 2);
      }
      expect(
        await connectTo(there.url, { headers: (await newDevice(userId)).headers }).refused,
      ).toMatchObject({ body: { code: 'connection_limit' } });
      for (const socket of sockets) socket.terminate();
      await here.stop();
      await there.stop();
    },
  );
});
