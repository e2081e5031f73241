/** The list of devices whose live connection another instance holds. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { insertDevice } from '../../test/support/test-devices.ts';
import { insertUser } from '../../test/support/test-users.ts';
import type { Database } from '../db/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { ConnectionRegistry } from './connection-registry.ts';
import { deleteExpiredLeases } from './connection-statements.ts';
import { DeviceList } from './list-devices.ts';
import { Presence } from './presence.ts';

const START = '2026-11-20T05:00:00.000Z';
const SILENCE_MS = 90_000;
const ADDRESS = '192.0.2.1';

describe.each(RUN_ENGINES)('devices of other instances on %s', (engine) => {
  let database: Database;
  let userId: number;
  let device: Awaited<ReturnType<typeof insertDevice>>;
  const clock = createManualClock(START);
  const onError = (error: unknown): never => {
    throw error;
  };

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    userId = await insertUser(database);
    device = await insertDevice(database, userId);
  });
  afterAll(() => database.close());

  /** An instance whose timers do not run: the test decides when it writes and publishes. */
  function newInstance() {
    const common = { database, clock, heartbeatInterval_s: 30, onError };
    const presence = new Presence({ ...common, grace_s: 600 });
    const registry = new ConnectionRegistry({
      ...common,
      limits: { user: 10, address: 10 },
      onEvicted: () => {},
      writePresence: () => presence.flushChanges(),
    });
    const lastHeard = (deviceId: number) => presence.lastHeard(deviceId);
    return { presence, registry, list: new DeviceList({ ...common, lastHeard }) };
  }
  type Instance = ReturnType<typeof newInstance>;

  async function show({ list }: Instance): Promise<unknown> {
    const body = (await list.read(userId, false)).toString();
    const [shown] = (JSON.parse(body) as { devices: { status: string; last_seen_at: string }[] })
      .devices;
    const age_s = (clock.now().getTime() - Date.parse(shown?.last_seen_at ?? '')) / 1000;
    return [shown?.status, age_s];
  }

  /** Lets time pass as an instance sees it: heartbeats, writes and publications. */
  async function run({ presence, registry }: Instance, seconds: number, isBeating: boolean) {
    for (let second = 1; second <= seconds; second++) {
      clock.advance(1000);
      if (isBeating && second % 30 === 0)
        presence.recordConnectedHeartbeat(device.deviceId, ADDRESS);
      await presence.flush();
      if (second % 5 === 0) await registry.flush();
    }
  }

  test('are online while their connection lasts, offline three intervals after it', async () => {
    const [holder, other] = [newInstance(), newInstance()];
    const called = { deviceId: device.deviceId, nodeId: device.nodeId, userId };
    const end = holder.registry.register(called, ADDRESS, undefined);
    holder.presence.recordConnection(device.deviceId, ADDRESS);
    await holder.presence.flush();
    await holder.registry.flush();
    expect(await show(other)).toEqual(['online', 0]);
    // Longer than a silence, and than two writes of what was heard.
    await run(holder, 720, true);
    expect(await show(other)).toEqual(['online', 0]);
    clock.advance(3000);
    expect(await show(other)).toEqual(['online', 3]);
    expect(await show(holder)).toEqual(['online', 3]);

    // No heartbeat any more: the holder closes the connection, and the last one is known exactly.
    await run(holder, 57, false);
    end();
    holder.presence.recordDisconnection(device.deviceId);
    await holder.registry.flush();
    expect(await show(other)).toEqual(['online', 60]);
    clock.advance(SILENCE_MS - 60_001);
    expect(await show(other)).toEqual(['online', 89.999]);
    clock.advance(1);
    expect(await show(other)).toEqual(['offline', 90]);
    expect(await show(holder)).toEqual(['offline', 90]);
  });

  test('are offline three intervals after the lease of an instance that was killed', async () => {
    const [killed, other] = [newInstance(), newInstance()];
    const called = { deviceId: device.deviceId, nodeId: device.nodeId, userId };
    killed.registry.register(called, ADDRESS, undefined);
    killed.presence.recordConnection(device.deviceId, ADDRESS);
    await run(killed, 400, true);
    clock.advance(SILENCE_MS - 1);
    expect(await show(other)).toEqual(['online', 89.999]);
    clock.advance(1);
    expect(await show(other)).toEqual(['offline', 90]);
    clock.advance(16_000);
    await deleteExpiredLeases(database, clock, SILENCE_MS);
    expect(await show(other)).toEqual(['offline', 106]);
    const { rowCount } = await database.query('select 1 from live_connection');
    expect(rowCount).toBe(0);
  });

  test('are shown by their own instance as it heard them', async () => {
    const [older, newer] = [newInstance(), newInstance()];
    const called = { deviceId: device.deviceId, nodeId: device.nodeId, userId };
    older.registry.register(called, ADDRESS, undefined);
    older.presence.recordConnection(device.deviceId, ADDRESS);
    await run(older, 20, true);
    expect(await show(older)).toEqual(['online', 20]);
    expect(await show(newer)).toEqual(['online', 0]);
    // The device moves before the older instance has noticed.
    newer.registry.register(called, ADDRESS, undefined);
    newer.presence.recordConnection(device.deviceId, ADDRESS);
    await newer.presence.flush();
    await newer.registry.flush();
    clock.advance(10_000);
    await older.presence.stop();
    expect(await show(newer)).toEqual(['online', 10]);
    older.presence.recordDisconnection(device.deviceId);
    await older.presence.flush();
    expect(await show(older)).toEqual(['online', 10]);
  });
});
