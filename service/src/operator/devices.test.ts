import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { insertDevice } from '../../test/support/test-devices.ts';
import { asOperator } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { openTrafficLab, type TrafficLab } from '../../test/support/traffic-fixture.ts';

interface Found {
  readonly devices: readonly { readonly node_id: string; readonly user_id: number }[];
  readonly next?: string;
}

describe.each(RUN_ENGINES)('devices for operators on the %s database', (engine) => {
  let lab: TrafficLab;
  const users: number[] = [];
  const nodes = Array.from({ length: 12 }, (_, n) => `${engine}-node-${n}`);

  beforeAll(async () => {
    lab = await openTrafficLab(engine);
    for (let n = 0; n < 3; n++) users.push(await insertUser(lab.database));
    for (const [n, nodeId] of nodes.entries())
      await insertDevice(lab.database, users[n % 3] ?? 0, { nodeId });
    const set = (nodeId: string | undefined, changes: string) =>
      lab.database.query(`update device set ${changes} where node_id = $1`, [nodeId]);
    await set(nodes[3], `registered_address = '203.0.113.9', name = 'Attic box'`);
    await set(nodes[4], `registered_address = '203.0.113.9'`);
    await set(nodes[10], `registered_address = '2001:db8:0:7::/64'`);
    await set(nodes[5], `device_type = 'EXTENSION', browser = 'Firefox'`);
    await set(nodes[6], `cut = 'deleted', cut_reason = 'owner', cut_at = bound_at`);
    await set(nodes[7], `cut = 'disconnected', cut_reason = 'owner', cut_at = bound_at`);
    await lab.database.query(
      `insert into device_presence (device_id, heard_at, previous_at, address)
       select id, $2, $2, '198.51.100.7' from device where node_id = $1`,
      [nodes[8], lab.clock.now()],
    );
  });
  afterAll(() => lab.close());

  const living = () => nodes.filter((_, n) => n !== 6).reverse();
  const find = async (query: string): Promise<Found> => lab.look(`/devices?${query}`);
  const foundBy = async (query: string) =>
    (await find(query)).devices.map(({ node_id }) => nodes.indexOf(node_id));

  test('pages go from the newest to the oldest, without deleted devices', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await find(`size=4${cursor === undefined ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.devices.map(({ node_id }) => node_id));
      cursor = page.next;
    } while (cursor !== undefined);
    expect(seen).toEqual(living());
  });

  test('a device comes with its owner and its addresses', async () => {
    const { devices } = await find(`node_id=${nodes[8]}`);
    expect(devices).toEqual([
      expect.objectContaining({
        ...{ node_id: nodes[8], user_id: users[2], status: 'online' },
        ...{ registered_address: '127.0.0.1', last_address: '198.51.100.7' },
        nickname: expect.any(String),
      }),
    ]);
    const [other] = (await find(`node_id=${nodes[0]}`)).devices;
    expect(other).not.toHaveProperty('last_address');
    expect(await find(`node_id=${nodes[6]}`)).toEqual({ devices: [] });
  });

  test('the devices of a person, as the person sees them', async () => {
    const { devices } = await lab.look(`/users/${users[0]}/devices`);
    const own = devices.map(({ node_id }: { node_id: string }) => nodes.indexOf(node_id));
    expect(own).toEqual([9, 3, 0]);
    expect(await lab.look('/users/999999/devices')).toMatchObject({ code: 'not_found' });
  });

  test('filters narrow the list, alone and together', async () => {
    expect(await foundBy('address=203.0.113.9')).toEqual([4, 3]);
    for (const address of ['2001:db8:0:7:1:2:3:4', '2001:db8:0:7::/64'])
      expect(await foundBy(`address=${address}`)).toEqual([10]);
    expect(await foundBy(`user_id=${users[0]}`)).toEqual([9, 3, 0]);
    expect(await foundBy(`user_id=${users[0]}&address=203.0.113.9`)).toEqual([3]);
    expect(await foundBy(`node_id=${nodes[3]}&user_id=${users[1]}`)).toEqual([]);
    expect(await foundBy('device_type=EXTENSION')).toEqual([5]);
    expect(await foundBy('status=online')).toEqual([8]);
    expect(await foundBy('status=disconnected')).toEqual([7]);
    expect(await foundBy('text=ATTIC')).toEqual([3]);
    expect(await foundBy('text=firefox%20on')).toEqual([5]);
    expect(await foundBy('text=%25')).toEqual([]);
    expect(await foundBy(`text=${nodes[2]}`)).toEqual([2]);
    expect(await foundBy(`text=${nodes[2]}&user_id=${users[0]}`)).toEqual([]);
    expect(await foundBy(`text=${nodes[6]}`)).toEqual([]);
  });

  test('a filter looks through a bounded number of devices at a time', async () => {
    const { database } = lab;
    const userId = await insertUser(database);
    await database.query(
      `insert into device (node_id, user_id, device_type, browser, extension_version, os, timezone,
         capabilities, requested_categories, registered_address, created_at, bound_at)
       select 'many-' || n, $1, 'TERMINAL', '', '', '', '', '{}', '{}', '192.0.2.1', now(), now()
       from generate_series(1, 700) n`,
      [userId],
    );
    const first = await find('text=attic');
    expect(first).toEqual({ devices: [], next: expect.any(String) });
    const second = await find(`text=attic&cursor=${first.next}`);
    expect(second.devices).toMatchObject([{ node_id: nodes[3] }]);
    expect(second.next).toBeUndefined();
    expect((await find('address=192.0.2.1&size=100')).devices).toHaveLength(100);
    await database.query('delete from device where user_id = $1', [userId]);
  });

  test('addresses that devices share, the most devices first', async () => {
    expect(await lab.look('/device-addresses?least=2')).toEqual({
      addresses: [
        { address: '127.0.0.1', devices: 8, users: 3 },
        { address: '203.0.113.9', devices: 2, users: 2 },
      ],
    });
    expect(await lab.look('/device-addresses?least=10')).toEqual({ addresses: [] });
  });

  test('refused reports of both kinds, page after page, and how many by reason', async () => {
    const { clock, report, send } = lab;
    const [node = '', other = ''] = nodes;
    for (let n = 0; n < 5; n++) {
      await send([
        report(`${engine}-late-${n}`, node, {
          from: '2026-11-01T03:00:00Z',
          to: '2026-11-01T04:00:00Z',
        }),
        report(`${engine}-half-${n}`, other, { bytes_up: 1.5 }),
      ]);
      if (n % 2 === 0) clock.advance(1000);
    }
    const seen: { report_id: string; received_at: string }[] = [];
    let cursor = '';
    do {
      const page = await lab.look(`/refused-reports?size=3${cursor}`);
      seen.push(...page.reports);
      cursor = page.next === undefined ? '' : `&cursor=${page.next}`;
    } while (cursor !== '');
    expect(new Set(seen.map(({ report_id }) => report_id)).size).toBe(10);
    expect(seen).toHaveLength(10);
    const times = seen.map(({ received_at }) => received_at);
    expect(times).toEqual(times.toSorted().reverse());
    const common = { client_id: 'test-operator', nickname: expect.any(String) };
    expect(seen).toContainEqual(
      expect.objectContaining({
        ...{ ...common, report_id: `${engine}-half-1`, node_id: other, user_id: users[1] },
        ...{ code: 'invalid_parameter', reason_code: 'malformed_bytes_up' },
      }),
    );
    expect(seen).toContainEqual(
      expect.objectContaining({
        ...{ ...common, report_id: `${engine}-late-4`, node_id: node, user_id: users[0] },
        ...{ reason_code: 'too_late', traffic_gb: 0.000003, from: '2026-11-01T03:00:00.000Z' },
      }),
    );
    const counted = { client_id: 'test-operator', reports: 5, devices: 1 };
    expect((await lab.look('/refused-reports/counts')).counts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...counted, reason_code: 'malformed_bytes_up' }),
        expect.objectContaining({ ...counted, reason_code: 'too_late' }),
      ]),
    );
    clock.advance(2 * 3_600_000);
    expect((await lab.look('/refused-reports/counts?hours=1')).counts).toEqual([]);
  });

  test('malformed questions are refused, and so is another scope', async () => {
    for (const path of [
      '/devices?cursor=x',
      '/devices?cursor=-1',
      '/devices?cursor=0',
      '/devices?size=101',
      '/devices?status=deleted',
      '/devices?text=',
      '/devices?unknown=1',
      '/refused-reports?cursor=1-2-3-4',
      '/refused-reports?cursor=99999999999999999-1-1-1',
      '/refused-reports/counts?hours=169',
      '/device-addresses?least=1',
    ])
      expect([path, await lab.look(path)]).toMatchObject([path, { code: 'invalid_parameter' }]);
    for (const path of ['/devices', '/device-addresses', '/refused-reports'])
      expect(await lab.look(path, asOperator('operator:traffic'))).toMatchObject({
        code: 'insufficient_scope',
      });
  });
});
