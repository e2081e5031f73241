/** Several instances hear the same devices, write in any order, and may be killed. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { insertDevice } from '../../test/support/test-devices.ts';
import { insertUser } from '../../test/support/test-users.ts';
import type { Database } from '../db/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { Presence } from './presence.ts';
import { readHoursOf } from './read-usage.ts';

const START = Date.parse('2026-11-20T04:00:00Z');
const HOUR_MS = 3_600_000;
const SILENCE_MS = 90_000;
const ADDRESS = '192.0.2.1';

/** Time online by hour: between two heartbeats that are no further apart than a silence. */
function naiveHours(heartbeats: readonly number[]): Record<string, number> {
  const sorted = [...heartbeats].sort((a, b) => a - b);
  const hours: Record<string, number> = {};
  for (const [i, to] of sorted.entries()) {
    const from = sorted[i - 1] ?? to;
    if (to - from > SILENCE_MS) continue;
    for (let hour = Math.floor(from / HOUR_MS); hour * HOUR_MS < to; hour++) {
      const part = Math.min(to, (hour + 1) * HOUR_MS) - Math.max(from, hour * HOUR_MS);
      const key = new Date(hour * HOUR_MS).toISOString();
      if (part > 0) hours[key] = (hours[key] ?? 0) + part;
    }
  }
  return hours;
}

type Hours = Readonly<Record<string, number>>;

/** Hours for which more was counted than there was. */
const excessOf = (counted: Hours, naive: Hours) =>
  Object.entries(counted).filter(([hour, ms]) => ms > (naive[hour] ?? 0));

describe.each(RUN_ENGINES)('presence of several instances on %s', (engine) => {
  let database: Database;
  let userId: number;
  const clock = createManualClock(new Date(START).toISOString());

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    userId = await insertUser(database);
  });
  afterAll(() => database.close());

  function newInstance(onWrite: (devices: number) => void = () => {}): Presence {
    const counted: Database = {
      ...database,
      prepared: (name, text, values) => {
        onWrite(Math.max(...(values ?? []).map((v) => (Array.isArray(v) ? v.length : 0))));
        return database.prepared(name, text, values);
      },
    };
    const onError = (error: unknown): never => {
      throw error;
    };
    const rules = { heartbeatInterval_s: 30, grace_s: 600, onError };
    return new Presence({ database: counted, clock, ...rules });
  }

  async function hoursOf(deviceId: number): Promise<Record<string, number>> {
    const [from, before] = [new Date(START - 24 * HOUR_MS), new Date(START + 96 * HOUR_MS)];
    const hours = await readHoursOf(database, deviceId, from, before);
    return Object.fromEntries(hours.map(({ hour, onlineMs }) => [hour.toISOString(), onlineMs]));
  }

  /** Connections, one after the other: how long before each it was silent, and its heartbeats. */
  const connections = fc.array(
    fc.record({
      silence_ms: fc.oneof(
        fc.integer({ min: 1, max: 180_000 }),
        fc.constantFrom(1, SILENCE_MS, SILENCE_MS + 1),
      ),
      beats_ms: fc.array(fc.integer({ min: 1, max: SILENCE_MS }), { minLength: 1, maxLength: 90 }),
      /** When the instance writes the end of it, beside the other instances. */
      order: fc.integer(),
    }),
    { minLength: 1, maxLength: 6 },
  );

  test('what each instance heard is counted once, in whatever order it is written', async () => {
    const run = fc.asyncProperty(connections, fc.nat(HOUR_MS), async (drawn, offset_ms) => {
      const { deviceId } = await insertDevice(database, userId);
      let now_ms = START + offset_ms;
      const heartbeats: number[] = [];
      const ended: { readonly presence: Presence; readonly order: number }[] = [];
      for (const { silence_ms, beats_ms, order } of drawn) {
        const presence = newInstance();
        for (const [i, wait_ms] of [silence_ms, ...beats_ms].entries()) {
          now_ms += wait_ms;
          clock.set(new Date(now_ms));
          heartbeats.push(now_ms);
          if (i === 0) presence.recordConnection(deviceId, ADDRESS);
          else presence.recordConnectedHeartbeat(deviceId, ADDRESS);
          if (i < beats_ms.length) await presence.flush();
        }
        presence.recordDisconnection(deviceId);
        ended.push({ presence, order });
      }
      for (const { presence } of ended.toSorted((a, b) => a.order - b.order)) await presence.stop();
      expect(await hoursOf(deviceId)).toEqual(naiveHours(heartbeats));
      const { rows } = await database.query<{ heard_at: Date }>(
        'select heard_at from device_presence where device_id = $1',
        [deviceId],
      );
      expect(rows[0]?.heard_at.getTime()).toBe(now_ms);
    });
    await fc.assert(run, { numRuns: 25 });
  });

  test('heartbeats at any instance never count more than was there', async () => {
    const beats = fc.array(
      fc.record({
        wait_ms: fc.integer({ min: 1, max: 120_000 }),
        instance: fc.nat(2),
        isWritten: fc.boolean(),
      }),
      { minLength: 2, maxLength: 60 },
    );
    const run = fc.asyncProperty(beats, fc.boolean(), async (drawn, isKilled) => {
      const { deviceId } = await insertDevice(database, userId);
      const instances = [newInstance(), newInstance(), newInstance()];
      const heartbeats: number[] = [];
      let now_ms = START;
      for (const { wait_ms, instance, isWritten } of drawn) {
        now_ms += wait_ms;
        clock.set(new Date(now_ms));
        heartbeats.push(now_ms);
        instances[instance]?.recordHeartbeat(deviceId, ADDRESS);
        if (isWritten) await instances[instance]?.flush();
      }
      for (const presence of isKilled ? instances.slice(1) : instances) await presence.stop();
      const [counted, naive] = [await hoursOf(deviceId), naiveHours(heartbeats)];
      expect(excessOf(counted, naive)).toEqual([]);
      if (!isKilled && drawn.every(({ isWritten }) => isWritten)) expect(counted).toEqual(naive);
    });
    await fc.assert(run, { numRuns: 25 });
  });

  test('a device that beats for an hour is written once in five minutes', async () => {
    const devices = await Promise.all(
      Array.from({ length: 20 }, () => insertDevice(database, userId)),
    );
    const written: number[] = [];
    const presence = newInstance((count) => written.push(count));
    clock.set(new Date(START + 10 * HOUR_MS));
    for (const { deviceId } of devices) presence.recordConnection(deviceId, ADDRESS);
    for (let second = 1; second <= 3600; second++) {
      clock.advance(1000);
      if (second % 30 === 0)
        for (const { deviceId } of devices) presence.recordConnectedHeartbeat(deviceId, ADDRESS);
      await presence.flush();
    }
    const { rows } = await database.query<{ online_ms: number }>(
      'select online_ms from device_hour where device_id = any ($1) and hour = $2',
      [devices.map(({ deviceId }) => deviceId), new Date(START + 10 * HOUR_MS)],
    );
    expect(rows).toHaveLength(20);
    for (const { online_ms } of rows) expect(online_ms).toBeGreaterThanOrEqual(3_270_000);
    await presence.stop();
    const total = written.reduce((sum, count) => sum + count, 0);
    // The connection, twelve turns, and the end.
    expect(total).toBeLessThanOrEqual(20 * 14);
    expect(total).toBeGreaterThanOrEqual(20 * 12);
    expect(await hoursOf(devices[0]?.deviceId ?? 0)).toEqual({
      [new Date(START + 10 * HOUR_MS).toISOString()]: HOUR_MS,
    });
  });
});
