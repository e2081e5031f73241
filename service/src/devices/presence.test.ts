import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { insertDevice } from '../../test/support/test-devices.ts';
import { insertUser } from '../../test/support/test-users.ts';
import type { Database } from '../db/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { Presence } from './presence.ts';
import { readHoursOf } from './read-usage.ts';

describe.each(RUN_ENGINES)('presence on the %s database', (engine) => {
  let database: Database;
  const clock = createManualClock('2026-11-20T04:59:00Z');
  const onError = (error: unknown): never => {
    throw error;
  };
  const newPresence = (db = database) =>
    new Presence({ database: db, clock, heartbeatInterval_s: 30, grace_s: 600, onError });

  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database.close());

  test('time between heartbeats is time online in its hour; longer silences are not', async () => {
    clock.set('2026-11-20T04:59:00Z');
    const userId = await insertUser(database);
    const { deviceId } = await insertDevice(database, userId);
    const [one, two] = [newPresence(), newPresence()];
    for (const [presence, wait_ms] of [
      [one, 30_000],
      [two, 50_000],
      [one, 90_000],
      [two, 90_001],
      [one, 10_000],
      [one, 0],
    ] as const) {
      presence.recordHeartbeat(deviceId, '127.0.0.1');
      await presence.flush();
      clock.advance(wait_ms);
    }
    const hours = await readHoursOf(
      database,
      deviceId,
      new Date('2026-11-20T00:00:00Z'),
      new Date('2026-11-21T00:00:00Z'),
    );
    expect(hours.map((hour) => [hour.hour.toISOString(), hour.onlineMs])).toEqual([
      ['2026-11-20T04:00:00.000Z', 60_000],
      ['2026-11-20T05:00:00.000Z', 120_000],
    ]);
  });

  test(
    'what is heard is known at once, written together, and dropped for a device that ' +
      'was cut off',
    async () => {
      const userId = await insertUser(database);
      const devices = [await insertDevice(database, userId), await insertDevice(database, userId)];
      const presence = newPresence();
      for (const { deviceId } of devices) presence.recordHeartbeat(deviceId, '127.0.0.1');
      const [kept, cut] = devices;
      if (!kept || !cut) throw new Error('no devices');
      expect(presence.lastHeard(kept.deviceId)?.at).toEqual(clock.now());
      await database.query(
        "update device set cut = 'disconnected', cut_reason = 'x', cut_at = now() where id = $1",
        [cut.deviceId],
      );
      await presence.stop();
      // A read that began before the statement committed still needs it.
      expect(presence.lastHeard(kept.deviceId)?.at).toEqual(clock.now());
      const { rows } = await database.query(
        'select device_id, heard_at from device_presence where device_id = any ($1)',
        [[kept.deviceId, cut.deviceId]],
      );
      expect(rows).toEqual([{ device_id: kept.deviceId, heard_at: clock.now() }]);
    },
  );

  test('an older heartbeat never moves the presence back', async () => {
    const { deviceId } = await insertDevice(database, await insertUser(database));
    const presence = newPresence();
    presence.recordHeartbeat(deviceId, '127.0.0.1');
    await presence.flush();
    const newest = clock.now();
    clock.advance(-20_000);
    presence.recordHeartbeat(deviceId, '127.0.0.1');
    await presence.flush();
    const { rows } = await database.query(
      'select heard_at from device_presence where device_id = $1',
      [deviceId],
    );
    expect(rows).toEqual([{ heard_at: newest }]);
    clock.set(newest);
  });

  const hoursOf = async (deviceId: number) => {
    const [from, before] = [new Date('2026-11-01T00:00:00Z'), new Date('2026-12-01T00:00:00Z')];
    return (await readHoursOf(database, deviceId, from, before)).map(({ onlineMs }) => onlineMs);
  };

  test('time online is kept while the database does not answer', async () => {
    clock.set('2026-11-20T12:00:00Z');
    const { deviceId } = await insertDevice(database, await insertUser(database));
    let isDown = true;
    const presence = newPresence({
      ...database,
      prepared: (...call) =>
        isDown ? Promise.reject(new Error('down')) : database.prepared(...call),
    });
    presence.recordConnection(deviceId, '127.0.0.1');
    for (let minute = 0; minute < 20; minute++) {
      await expect(presence.flush()).rejects.toThrow('down');
      clock.advance(minute === 9 ? 100_000 : 60_000);
      presence.recordConnectedHeartbeat(deviceId, '127.0.0.1');
    }
    isDown = false;
    await presence.flush();
    expect(await hoursOf(deviceId)).toEqual([19 * 60_000]);
  });

  test('time before a revocation counts, time of the revocation does not', async () => {
    clock.set('2026-11-20T14:00:00Z');
    const { deviceId } = await insertDevice(database, await insertUser(database));
    const presence = newPresence();
    const beat = async (seconds: number): Promise<void> => {
      clock.advance(seconds * 1000);
      presence.recordConnectedHeartbeat(deviceId, '127.0.0.1');
    };
    presence.recordConnection(deviceId, '127.0.0.1');
    await presence.flush();
    await beat(80);
    const revokedAt = clock.now();
    await database.query(
      "update device set cut = 'disconnected', cut_reason = 'owner', cut_at = $2 where id = $1",
      [deviceId, revokedAt],
    );
    await beat(30);
    presence.recordDisconnection(deviceId);
    await presence.flush();
    expect(await hoursOf(deviceId)).toEqual([80_000]);
    // It returns 40 s later: too soon to be shown as offline.
    await database.query('update device set cut = null, cut_reason = null where id = $1', [
      deviceId,
    ]);
    clock.advance(10_000);
    await database.query('insert into device_gap (device_id, from_at, to_at) values ($1, $2, $3)', [
      deviceId,
      revokedAt,
      clock.now(),
    ]);
    presence.recordConnection(deviceId, '127.0.0.1');
    await beat(50);
    await presence.stop();
    expect(await hoursOf(deviceId)).toEqual([130_000]);
  });

  test('time that an earlier version counted in the hour is kept', async () => {
    clock.set('2026-11-20T16:10:00Z');
    const { deviceId } = await insertDevice(database, await insertUser(database));
    await database.query(
      `insert into device_presence (device_id, heard_at, previous_at, address)
       values ($1, $2, $2, '')`,
      [deviceId, clock.now()],
    );
    await database.query(
      'insert into device_hour (device_id, hour, online_ms) values ($1, $2, 300000)',
      [deviceId, new Date('2026-11-20T16:00:00Z')],
    );
    const presence = newPresence();
    clock.advance(30_000);
    presence.recordConnection(deviceId, '127.0.0.1');
    clock.advance(60_000);
    presence.recordConnectedHeartbeat(deviceId, '127.0.0.1');
    await presence.stop();
    expect(await hoursOf(deviceId)).toEqual([390_000]);
  });
});
