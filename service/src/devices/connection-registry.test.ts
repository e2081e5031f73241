import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import type { Database } from '../db/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { type ConnectionRegistry, createConnectionRegistry, forgetDeadNodes } from './connection-registry.ts';

describe.each(ENGINES)('connections shared by nodes on %s', (engine) => {
  let database: Database;
  const clock = createManualClock('2026-11-20T05:00:00Z');
  const started: ConnectionRegistry[] = [];

  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(async () => {
    for (const registry of started) await registry.stop();
    await database.close();
  });

  /** One node, which flushes when it is told to. */
  async function startNode(db: Database = database) {
    const taken: number[] = [];
    const errors: unknown[] = [];
    const onTaken = (deviceId: number): void => void taken.push(deviceId);
    // Its own timer sees a clock that stands still, and nothing to do between two steps of a test.
    const registry = createConnectionRegistry({ database: db, clock, onTaken, onError: (error) => errors.push(error) });
    await registry.start();
    started.push(registry);
    return { registry, taken, errors };
  }
  let devices = 0;
  const newDevice = (userId: number) => ({ deviceId: ++devices, nodeId: `n${devices}`, userId });
  const nobody = (userId: number) => ({ deviceId: 0, nodeId: '', userId });

  test('each counts what the others hold, by person and by address, while they live', async () => {
    const [here, there] = [await startNode(), await startNode()];
    const [a, b] = [newDevice(1), newDevice(1)];
    const end = here.registry.opened(a, '192.0.2.1');
    here.registry.opened(b, '192.0.2.2');
    await here.registry.flush();
    expect(await there.registry.countOthers(nobody(1), '192.0.2.1')).toEqual({ ofUser: 2, atAddress: 1 });
    expect(await there.registry.countOthers(a, '192.0.2.1')).toEqual({ ofUser: 1, atAddress: 0 });
    expect(await here.registry.countOthers(nobody(1), '192.0.2.1')).toEqual({ ofUser: 0, atAddress: 0 });
    end();
    await here.registry.flush();
    expect(await there.registry.countOthers(nobody(1), '192.0.2.1')).toEqual({ ofUser: 1, atAddress: 0 });
    clock.advance(15_000);
    expect(await there.registry.countOthers(nobody(1), '192.0.2.1')).toEqual({ ofUser: 0, atAddress: 0 });
    await here.registry.flush();
    expect(await there.registry.countOthers(nobody(1), '192.0.2.1')).toMatchObject({ ofUser: 1 });
    clock.advance(75_001);
    await forgetDeadNodes(database, clock);
    expect((await database.query('select 1 from live_connection where user_id = 1')).rowCount).toBe(0);
    // A node that only slept is not lost: nobody knows it, so it says again what it holds.
    await here.registry.flush();
    await here.registry.flush();
    expect(await there.registry.countOthers(nobody(1), '')).toMatchObject({ ofUser: 1 });
  });

  test.each(['older', 'newer'])('a device belongs to its newer connection, when the %s is written last', async (last) => {
    const [older, newer] = [await startNode(), await startNode()];
    const device = newDevice(2);
    older.registry.opened(device, '192.0.2.3');
    clock.advance(10);
    newer.registry.opened(device, '192.0.2.4');
    for (const node of last === 'older' ? [newer, older] : [older, newer]) await node.registry.flush();
    await expect.poll(() => older.taken).toEqual([device.deviceId]);
    expect(newer.taken).toEqual([]);
    expect((await database.query('select address from live_connection where device_id = $1', [device.deviceId])).rows).toEqual([{ address: '192.0.2.4' }]);
  });

  test('what the database lost is written again; what it did not take, later', async () => {
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
    node.registry.opened(newDevice(3), '192.0.2.5');
    await expect(node.registry.flush()).rejects.toThrow('away');
    expect(await node.registry.countOthers(nobody(3), '')).toEqual({ ofUser: 0, atAddress: 0 });
    expect(node.errors).not.toEqual([]);
    isDown = false;
    await node.registry.flush();
    expect(await other.registry.countOthers(nobody(3), '')).toMatchObject({ ofUser: 1 });
    await database.query('truncate connection_node, live_connection');
    await node.registry.flush();
    await node.registry.flush();
    expect(await other.registry.countOthers(nobody(3), '')).toMatchObject({ ofUser: 1 });
    await node.registry.stop();
    expect(await other.registry.countOthers(nobody(3), '')).toMatchObject({ ofUser: 0 });
  });
});
