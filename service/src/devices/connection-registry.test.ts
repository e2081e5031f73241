import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import type { Database } from '../db/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { ConnectionRegistry } from './connection-registry.ts';
import { deleteExpiredLeases } from './connection-statements.ts';

describe.each(RUN_ENGINES)('connections shared by instances on %s', (engine) => {
  let database: Database;
  const clock = createManualClock('2026-11-20T05:00:00Z');
  const started: ConnectionRegistry[] = [];

  beforeAll(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
  });
  afterAll(async () => {
    for (const registry of started) await registry.stop();
    await database.close();
  });

  /** One instance, which publishes on request. */
  async function startNode(db: Database = database, limits = { user: 100, address: 100 }) {
    const taken: number[] = [];
    const excess: string[] = [];
    const errors: unknown[] = [];
    const onEvicted = (deviceId: number, cause: string, text: string): void => {
      if (cause === 'replaced') taken.push(deviceId);
      else excess.push(`${text.includes('address') ? 'address' : 'user'} ${deviceId}`);
    };
    // Its own timer has a stopped clock, and nothing to do between two steps of a test.
    const registry = new ConnectionRegistry({
      database: db,
      clock,
      onEvicted,
      limits,
      onError: (error) => errors.push(error),
      writePresence: async () => {},
    });
    await registry.start();
    started.push(registry);
    return { registry, taken, excess, errors };
  }
  let devices = 0;
  const newDevice = (userId: number) => ({ deviceId: ++devices, nodeId: `n${devices}`, userId });
  /** Opens a connection at an instance, as the route does. */
  const open = async (
    { registry }: { registry: ConnectionRegistry },
    device: ReturnType<typeof newDevice>,
    address: string,
  ) => registry.register(device, address, (await registry.reserve(device, address)).number);
  const othersOf = async (
    { registry }: { registry: ConnectionRegistry },
    device: ReturnType<typeof newDevice>,
    address: string,
  ) => (await registry.reserve(device, address)).others;
  const anyDevice = (userId: number) => ({ deviceId: 0, nodeId: '', userId });

  test('each instance counts the others’ connections, by user and address', async () => {
    const [here, there] = [await startNode(), await startNode()];
    const [a, b] = [newDevice(1), newDevice(1)];
    const end = await open(here, a, '192.0.2.1');
    await open(here, b, '192.0.2.2');
    await here.registry.flush();
    expect(await othersOf(there, anyDevice(1), '192.0.2.1')).toEqual({ ofUser: 2, atAddress: 1 });
    expect(await othersOf(there, a, '192.0.2.1')).toEqual({ ofUser: 1, atAddress: 0 });
    expect(await othersOf(here, anyDevice(1), '192.0.2.1')).toEqual({ ofUser: 0, atAddress: 0 });
    end();
    await here.registry.flush();
    expect(await othersOf(there, anyDevice(1), '192.0.2.1')).toEqual({ ofUser: 1, atAddress: 0 });
    clock.advance(15_000);
    expect(await othersOf(there, anyDevice(1), '192.0.2.1')).toEqual({ ofUser: 0, atAddress: 0 });
    await here.registry.flush();
    expect(await othersOf(there, anyDevice(1), '192.0.2.1')).toMatchObject({ ofUser: 1 });
    clock.advance(75_001);
    await deleteExpiredLeases(database, clock, 60_000);
    expect((await database.query('select 1 from live_connection where user_id = 1')).rowCount).toBe(
      0,
    );
    // An instance that only slept is not lost: its lease has expired, so it publishes everything
    // again.
    await here.registry.flush();
    await here.registry.flush();
    expect(await othersOf(there, anyDevice(1), '')).toMatchObject({ ofUser: 1 });
  });

  const addressOf = async (device: { deviceId: number }) =>
    (
      await database.query<{ address: string }>(
        'select address from live_connection where device_id = $1',
        [device.deviceId],
      )
    ).rows[0]?.address;

  test.each(['older', 'newer', 'both'])(
    'a device belongs to its newer connection, written last: %s',
    async (last) => {
      const [older, newer] = [await startNode(), await startNode()];
      const device = newDevice(2);
      await open(older, device, '192.0.2.3');
      await open(newer, device, '192.0.2.4');
      if (last === 'both') await Promise.all([older.registry.flush(), newer.registry.flush()]);
      else
        for (const node of last === 'older' ? [newer, older] : [older, newer])
          await node.registry.flush();
      await expect.poll(() => older.taken).toEqual([device.deviceId]);
      expect(newer.taken).toEqual([]);
      expect(await addressOf(device)).toBe('192.0.2.4');
    },
  );

  test.each(['first', 'second'])(
    'a device that moves to another instance and back keeps its newest connection, when the ' +
      '%s writes last',
    async (last) => {
      const [first, second] = [await startNode(), await startNode()];
      const [device, witness] = [newDevice(4), newDevice(4)];
      await open(first, device, '192.0.2.6');
      await first.registry.flush();
      await open(second, device, '192.0.2.7');
      await open(first, device, '192.0.2.8');
      for (const node of last === 'first' ? [second, first] : [first, second])
        await node.registry.flush();
      await expect.poll(() => second.taken).toEqual([device.deviceId]);
      // What the first instance receives after this is newer than anything it received of this
      // device.
      await open(first, witness, '192.0.2.6');
      await open(second, witness, '192.0.2.7');
      await second.registry.flush();
      await first.registry.flush();
      await expect.poll(() => first.taken).toEqual([witness.deviceId]);
      expect(await addressOf(device)).toBe('192.0.2.8');
    },
  );

  test('devices that move to an instance count there only, before and after writing', async () => {
    const [gone, here] = [await startNode(), await startNode()];
    const [a, b, c] = [newDevice(5), newDevice(5), newDevice(5)];
    for (const device of [a, b, c]) await open(gone, device, '192.0.2.9');
    await gone.registry.flush();
    await open(here, a, '192.0.2.9');
    expect(await othersOf(here, b, '192.0.2.9')).toEqual({ ofUser: 1, atAddress: 1 });
    const writing = here.registry.flush();
    expect(await othersOf(here, b, '192.0.2.9')).toEqual({ ofUser: 1, atAddress: 1 });
    await writing;
    expect(await othersOf(here, b, '192.0.2.9')).toEqual({ ofUser: 1, atAddress: 1 });
  });

  test.each(['first', 'second', 'both'])(
    'what two instances let in at once beyond a limit is let go, the newest of it, when this ' +
      'one writes last: %s',
    async (last) => {
      const limits = { user: 2, address: 3 };
      const [first, second, witness] = [
        await startNode(database, limits),
        await startNode(database, limits),
        await startNode(database, limits),
      ];
      const owner = 1000 + devices;
      const [a, b, c, d, stranger] = [
        newDevice(owner),
        newDevice(owner),
        newDevice(owner),
        newDevice(owner),
        newDevice(owner + 1),
      ];
      const [home, cafe] = [`home-${owner}`, `cafe-${owner}`];
      await open(witness, stranger, cafe);
      await open(first, a, home);
      await open(second, b, cafe);
      await open(first, c, cafe);
      await open(second, d, cafe);
      const nodes = last === 'first' ? [second, first] : [first, second];
      if (last === 'both')
        await Promise.all([...nodes, witness].map((node) => node.registry.flush()));
      else for (const node of [witness, ...nodes]) await node.registry.flush();
      await expect.poll(() => new Set(first.excess)).toEqual(new Set([`user ${c.deviceId}`]));
      await expect
        .poll(() => new Set(second.excess))
        .toEqual(new Set([`user ${d.deviceId}`, `address ${d.deviceId}`]));
      expect(witness.excess).toEqual([]);
    },
  );

  test(
    'an older connection of a device is not taken for its newer one, and what could not ' +
      'be counted is counted later',
    async () => {
      let isDown = false;
      const flaky: Database = {
        ...database,
        prepared: async (name, text, values) => {
          if (isDown && name === 'connections-enforce-limits')
            throw new Error('the database is away');
          return database.prepared(name, text, values);
        },
      };
      const limits = { user: 1, address: 100 };
      const [here, there] = [await startNode(flaky, limits), await startNode(database, limits)];
      const [a, b] = [newDevice(6), newDevice(6)];
      await open(there, a, '192.0.2.10');
      await open(here, b, '192.0.2.11');
      await there.registry.flush();
      isDown = true;
      await expect(here.registry.flush()).rejects.toThrow('away');
      expect(here.excess).toEqual([]);
      isDown = false;
      // There is nothing new to write; the count is still due.
      await here.registry.flush();
      await expect.poll(() => here.excess).toEqual([`user ${b.deviceId}`]);
      await open(here, b, '192.0.2.12');
      await database.query(
        "select pg_notify('connection_evicted', concat_ws(' ', node, device_id, number, " +
          "'user')) from live_connection where user_id = 6",
      );
      const after = newDevice(7);
      await open(there, after, '192.0.2.13');
      await open(there, newDevice(7), '192.0.2.13');
      await there.registry.flush();
      await expect.poll(() => there.excess).toContain(`user ${devices}`);
      expect(here.excess).toEqual([`user ${b.deviceId}`]);
    },
  );

  test('rows that the database lost are written again; rows that it refused, later', async () => {
    let isDown = false;
    const flaky: Database = {
      ...database,
      prepared: async (name, text, values) => {
        if (isDown) throw new Error('the database is away');
        return database.prepared(name, text, values);
      },
    };
    const [node, other] = [await startNode(flaky), await startNode()];
    isDown = true;
    await open(node, newDevice(3), '192.0.2.5');
    await expect(node.registry.flush()).rejects.toThrow('away');
    expect(await othersOf(node, anyDevice(3), '')).toEqual({ ofUser: 0, atAddress: 0 });
    expect(node.errors).not.toEqual([]);
    isDown = false;
    await node.registry.flush();
    expect(await othersOf(other, anyDevice(3), '')).toMatchObject({ ofUser: 1 });
    await database.query('truncate connection_node, live_connection');
    await node.registry.flush();
    await node.registry.flush();
    expect(await othersOf(other, anyDevice(3), '')).toMatchObject({ ofUser: 1 });
    await node.registry.stop();
    expect(await othersOf(other, anyDevice(3), '')).toMatchObject({ ofUser: 0 });
  });
});
