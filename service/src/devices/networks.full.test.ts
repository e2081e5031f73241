/**
 * A /64 of IPv6 belongs to one customer: it counts as one address for connections, attempts and
 * heartbeats.
 */
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { BEAT, connectTo, mayPass, startDeviceNode } from '../../test/support/device-node.ts';
import { bearer } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { type Database, transaction } from '../db/index.ts';
import { createSession } from '../identity/index.ts';
import { newId } from '../lib/ids.ts';

const LIMITS = {
  TRUSTED_PROXIES: '127.0.0.1',
  CONNECTIONS_PER_ADDRESS: '2',
  CONNECTS_PER_SECOND: '2',
};
const HOUR_MS = 3_600_000;

describe.each(RUN_ENGINES)('devices by address range on the %s database', (engine) => {
  let database: Database;
  let node: Awaited<ReturnType<typeof startDeviceNode>>;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    node = await startDeviceNode(database, LIMITS);
  });
  afterAll(async () => {
    await node.stop();
    await database.close();
  });

  let count = 0;
  /** A registered device of a user of its own. */
  async function newDevice() {
    const userId = await insertUser(database);
    const nodeId = `net-${++count}`;
    const expiresAt = new Date(Date.now() + HOUR_MS);
    const sid = newId();
    const session = { sid, userId, amr: ['pwd'], authTime: new Date(), expiresAt };
    await transaction(database, (tx) =>
      createSession(tx, { ...session, ip: '::1', userAgent: 'test' }),
    );
    const headers = bearer({
      userId,
      tokenUse: 'device',
      scopes: ['device:connect'],
      jti: `${engine}-${nodeId}`,
      sid,
      expiresAt,
    });
    await node.app.inject({
      method: 'PUT',
      url: `/me/devices/${nodeId}`,
      headers,
      payload: { device_type: 'TERMINAL' },
    });
    return { userId, nodeId, headers };
  }

  async function connectFrom(address: string, { url } = node) {
    const { headers, userId } = await newDevice();
    const client = connectTo(url, { headers: { ...headers, 'x-forwarded-for': address } });
    const outcome = await Promise.race([
      client.opened.then(() => 'open'),
      client.refused.then(({ body }) => String(body.code)),
    ]);
    return { ...client, outcome, userId };
  }

  test('connections of a range are counted together, over all instances', async () => {
    const other = await startDeviceNode(database, LIMITS);
    const first = await connectFrom('2001:db8:1:1::1');
    const second = await connectFrom('2001:db8:1:1:ffff:ffff:ffff:2');
    expect([first.outcome, second.outcome]).toEqual(['open', 'open']);
    expect((await connectFrom('2001:db8:1:1::3')).outcome).toBe('connection_limit');
    await expect
      .poll(
        async () =>
          (
            await database.query(
              "select 1 from live_connection where address = '2001:db8:1:1::/64'",
            )
          ).rowCount,
      )
      .toBe(2);
    expect((await connectFrom('2001:db8:1:1::4', other)).outcome).toBe('connection_limit');
    const neighbour = await connectFrom('2001:db8:1:2::1', other);
    expect(neighbour.outcome).toBe('open');
    for (const { socket } of [first, second, neighbour]) {
      socket.send(BEAT);
      await once(socket, 'message');
      socket.terminate();
    }
    await other.stop();
  });

  test('attempts of a range are counted together', async () => {
    const attempt = async (address: string): Promise<unknown> =>
      (await connectTo(node.url, { headers: { 'x-forwarded-for': address } }).refused).body.code;
    const startedAt_ms = performance.now();
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, i) => attempt(`2001:db8:2:1::${(i + 1).toString(16)}`)),
    );
    expect(outcomes.filter((outcome) => outcome !== 'rate_limited').length).toBeLessThanOrEqual(
      mayPass(2, startedAt_ms),
    );
    expect(new Set(outcomes)).toEqual(new Set(['rate_limited', 'missing_token']));
    expect(await attempt('2001:db8:2:2::1')).toBe('missing_token');
    const single = await Promise.all(Array.from({ length: 10 }, (_, i) => attempt(`192.0.2.${i}`)));
    expect(new Set(single)).toEqual(new Set(['missing_token']));
  });

  test('heartbeats record the range, over HTTP and over a socket', async () => {
    const heardFrom = async (userId: number): Promise<string | undefined> =>
      (
        await database.query<{ address: string }>(
          'select address from device_presence p join device d on d.id = p.device_id where ' +
            'd.user_id = $1',
          [userId],
        )
      ).rows[0]?.address;
    const { userId, nodeId, headers } = await newDevice();
    const beat = (remoteAddress: string) =>
      node.app.inject({
        method: 'POST',
        url: `/me/devices/${nodeId}/heartbeat`,
        headers,
        remoteAddress,
      });
    for (const [address, network] of [
      ['2001:db8:3:1::1', '2001:db8:3:1::/64'],
      ['2001:db8:3:1:a:b:c:d', '2001:db8:3:1::/64'],
      ['2001:db8:3:2::1', '2001:db8:3:2::/64'],
      ['::ffff:192.0.2.77', '192.0.2.77'],
    ] as const) {
      expect((await beat(address)).statusCode).toBe(200);
      await expect.poll(() => heardFrom(userId)).toBe(network);
    }
    const live = await connectFrom('2001:db8:3:3::9');
    await expect.poll(() => heardFrom(live.userId)).toBe('2001:db8:3:3::/64');
    live.socket.terminate();
  });
});
