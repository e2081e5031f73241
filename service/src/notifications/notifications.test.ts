import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { testConfig, testMasterKey } from '../../test/support/test-config.ts';
import { insertDevice } from '../../test/support/test-devices.ts';
import { asPerson, createTestServer } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { type Database, deleteDueRows, transaction } from '../db/index.ts';
import { assignPositions, recordEvent } from '../events/index.ts';
import { createMetrics, createOutgoing, type HttpServer } from '../http/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { KEPT_MAX } from './add-notifications.ts';
import { followEvents } from './follow-events.ts';
import { NOTIFICATIONS_RETENTION, type NotificationsDeps, registerNotifications } from './index.ts';
import type { NotificationPage, NotificationPreferences } from './schemas.ts';
import { tellDay } from './tell-day.ts';
import { ROUND_MS, SETTLING_MS, watchDevices } from './watch-devices.ts';

const START = '2026-11-10T12:00:00.000Z';
const MINUTE_MS = 60_000;
const MANY = 1203;
/** More than 50 steps. */
const LARGE = 51_003;

describe.each(ENGINES)('notifications on %s', (engine) => {
  const clock = createManualClock(START);
  let database: Database;
  let app: HttpServer;
  let paid: string[] = [];
  let deps: NotificationsDeps;

  const passMinutes = (minutes: number): void =>
    clock.set(new Date(clock.now().getTime() + minutes * MINUTE_MS));
  const call = (userId: number, method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) =>
    app.inject({
      ...{ method, url, headers: asPerson(userId, 'identity:manage') },
      ...(payload && { payload }),
    });
  const list = async (userId: number, query = ''): Promise<NotificationPage> => {
    const answer = await call(userId, 'GET', `/me/notifications${query}`);
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json();
  };
  const codes = async (userId: number) => (await list(userId)).records.map(({ code }) => code);
  const choose = async (userId: number, body: object): Promise<NotificationPreferences> => {
    const answer = await call(userId, 'PUT', '/me/notification-preferences', body);
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json();
  };

  async function happen(
    userId: number,
    type:
      | 'deposit.credited'
      | 'deposit.confirming'
      | 'deposit.rejected'
      | 'deposit.unsupported'
      | 'payout.confirmed'
      | 'payout.failed'
      | 'payout.rejected'
      | 'security.new_sign_in',
    data: object = {},
  ): Promise<void> {
    await transaction(database, (tx) =>
      recordEvent(tx, clock, { userId, type, data: { ...data } }),
    );
  }
  async function follow(): Promise<void> {
    await assignPositions(database, clock);
    await followEvents(database, clock);
  }

  /** When a device was last heard. */
  const hear = (deviceId: number, minutesAgo: number) =>
    database.query(
      `insert into device_presence (device_id, heard_at, previous_at, address)
       values ($1, $2, $2, '') on conflict (device_id) do update set heard_at = excluded.heard_at`,
      [deviceId, new Date(clock.now().getTime() - minutesAgo * MINUTE_MS)],
    );
  /** The watch continues without a break until the time for the next round has come. */
  async function watchRound(): Promise<void> {
    for (let passed = 0; passed <= ROUND_MS; passed += MINUTE_MS) {
      passMinutes(1);
      await watchDevices(database, clock);
    }
  }
  async function earn(userId: number, day: string, amount: string, currency = 'EDGE') {
    await database.query(
      `insert into earning_day (user_id, day, currency_id, reward_type, node_id, amount)
       select $1, $2, id, 'UPTIME', gen_random_uuid()::text, $3 from currency where code = $4`,
      [userId, day, amount, currency],
    );
  }

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    app = createTestServer();
    deps = {
      ...{ database, clock, rewardCurrency: 'EDGE' },
      ...{ masterKey: testMasterKey, config: testConfig(), serviceName: () => 'Acme' },
      look: () => ({ name: 'Acme' }),
      ...{ outgoing: createOutgoing({ allowsLoopback: false }), metrics: createMetrics() },
      isDayPaid: async (_db, day) => paid.includes(day),
    };
    registerNotifications(app, deps);
    // The watch has begun, and settles.
    await watchDevices(database, clock);
    for (let passed = 0; passed < SETTLING_MS; passed += MINUTE_MS) {
      passMinutes(1);
      await watchDevices(database, clock);
    }
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  describe('of events', () => {
    test('are made once, newest first, with amounts to their last digit', async () => {
      const [userId, otherId] = [await insertUser(database), await insertUser(database)];
      await happen(userId, 'deposit.confirming', { id: 7 });
      await happen(userId, 'deposit.credited', {
        id: 7,
        amount: '1.000000000000000001',
        currency: 'ETH',
      });
      await happen(userId, 'security.new_sign_in', { user_id: userId });
      await happen(otherId, 'payout.failed', { id: 3, amount: '5', currency: 'USDT' });
      await follow();
      await follow();
      const { records, unread } = await list(userId);
      expect(unread).toBe(2);
      expect(records).toMatchObject([
        { kind: 'sign_in', code: 'sign_in', details: {}, is_read: false },
        {
          ...{ kind: 'deposit', code: 'deposit_credited' },
          details: { id: '7', amount: '1.000000000000000001', currency: 'ETH' },
        },
      ]);
      expect(await codes(otherId)).toEqual(['payout_failed']);
      const told = await database.query(
        "select from event where user_id = $1 and type = 'notification.created'",
        [userId],
      );
      expect(told.rowCount).toBe(2);
    });

    test('say of a withdrawal what arrives, without the fee', async () => {
      const userId = await insertUser(database);
      const payout = { id: 9, amount: '26.00', fee: '1.00', arrives: '25.00', currency: 'USDT' };
      for (const type of ['payout.confirmed', 'payout.rejected', 'payout.failed'] as const)
        await happen(userId, type, payout);
      await follow();
      const details = { id: '9', amount: '25.00', currency: 'USDT' };
      expect((await list(userId)).records.map((record) => record.details)).toEqual([
        details,
        details,
        details,
      ]);
    });

    test('name a deposit that is not credited, and unlisted tokens once a day', async () => {
      const userId = await insertUser(database);
      const fake = { amount: '1000000', currency: 'visit evil.example' };
      for (let id = 1; id <= 3; id++) await happen(userId, 'deposit.unsupported', { id, ...fake });
      await happen(userId, 'deposit.rejected', { id: 4, amount: '5', currency: 'USDT' });
      await follow();
      const { records } = await list(userId);
      expect(records.map(({ code, details }) => [code, details])).toEqual([
        ['deposit_rejected', { id: '4', amount: '5', currency: 'USDT' }],
        ['deposit_unsupported', { id: '1' }],
      ]);
    });

    test('are made once by two instances at a time', async () => {
      const userId = await insertUser(database);
      for (let n = 1; n <= MANY; n++) await happen(userId, 'deposit.confirming', { id: n });
      for (let n = 1; n <= 30; n++) await happen(userId, 'deposit.credited', { id: n });
      await assignPositions(database, clock);
      await Promise.all([followEvents(database, clock), followEvents(database, clock)]);
      await follow();
      expect((await list(userId)).unread).toBe(30);
    });

    test('a step that dies leaves nothing, and is done again', async () => {
      const userId = await insertUser(database);
      await happen(userId, 'deposit.credited', { id: 1 });
      await assignPositions(database, clock);
      // After the notification was added, and before the step has moved on.
      const dying = {
        now(): Date {
          throw new Error('died');
        },
      };
      await expect(followEvents(database, dying)).rejects.toThrow('died');
      expect(await codes(userId)).toEqual([]);
      await follow();
      expect(await codes(userId)).toEqual(['deposit_credited']);
    });

    test('a user keeps the newest, for 90 days, and a closed account gets none', async () => {
      const [userId, closedId] = [await insertUser(database), await insertUser(database)];
      await database.query("update app_user set status = 'closed' where id = $1", [closedId]);
      await happen(closedId, 'deposit.credited', { id: 1 });
      for (let n = 1; n <= KEPT_MAX + 5; n++) await happen(userId, 'deposit.credited', { id: n });
      await follow();
      expect(await codes(closedId)).toEqual([]);
      const { unread, records } = await list(userId);
      expect(unread).toBe(KEPT_MAX);
      expect(records[0]?.details).toEqual({ id: String(KEPT_MAX + 5) });
      const later = createManualClock('2027-02-09T12:00:00Z');
      await deleteDueRows(database, later, NOTIFICATIONS_RETENTION);
      expect(await list(userId)).toEqual({ records: [], unread: 0 });
    });
  });

  describe('pages and reading', () => {
    test('go back to the oldest, and count what is unread', async () => {
      const userId = await insertUser(database);
      for (let n = 1; n <= 5; n++) await happen(userId, 'deposit.credited', { id: n });
      await follow();
      const first = await list(userId, '?size=2');
      const second = await list(userId, `?size=2&before=${first.next}`);
      const last = await list(userId, `?size=2&before=${second.next}`);
      const ids = [first, second, last].flatMap(({ records }) => records.map(({ id }) => id));
      expect(new Set(ids).size).toBe(5);
      expect(ids).toEqual(ids.toSorted((a, b) => b - a));
      expect(last.next).toBeUndefined();

      const read = (body: object) => call(userId, 'POST', '/me/notifications/read', body);
      expect((await read({ ids: [ids[0]] })).json()).toEqual({ unread: 4 });
      expect((await read({ up_to: ids[2] })).json()).toEqual({ unread: 1 });
      expect((await read({ up_to: ids[2] })).json()).toEqual({ unread: 1 });
      expect((await list(userId)).records.map(({ is_read }) => is_read)).toEqual([
        ...[true, false, true, true, true],
      ]);
      const strangerId = await insertUser(database);
      await call(strangerId, 'POST', '/me/notifications/read', { ids });
      expect((await list(userId)).unread).toBe(1);
    });

    test('what is wrong is refused', async () => {
      const userId = await insertUser(database);
      for (const body of [{}, { up_to: 1, ids: [1] }, { ids: [] }, { up_to: 0 }, { all: true }]) {
        const answer = await call(userId, 'POST', '/me/notifications/read', body);
        expect(answer.statusCode, JSON.stringify(body)).toBe(400);
      }
      for (const query of ['?size=51', '?size=0', '?before=0', '?before=x']) {
        const answer = await call(userId, 'GET', `/me/notifications${query}`);
        expect(answer.statusCode, query).toBe(400);
      }
      for (const body of [
        { offline_minutes: 14 },
        { offline_minutes: 10_081 },
        { digest: 'weekly' },
        { time_zone: 'Mars/Olympus' },
        { language: 'tlh' },
        { kinds: { deposit: { pigeon: true } } },
        { kinds: { weather: { bell: true } } },
        { kinds: { deposit: { bell: 'yes' } } },
      ]) {
        const answer = await call(userId, 'PUT', '/me/notification-preferences', body);
        expect(answer.statusCode, JSON.stringify(body)).toBe(400);
      }
    });
  });

  describe('preferences', () => {
    test('are stored only where they differ, and replaced as a whole', async () => {
      const userId = await insertUser(database);
      const byDefault = (await call(userId, 'GET', '/me/notification-preferences')).json();
      expect(byDefault).toMatchObject({ kinds: { deposit: { bell: true } }, offline_minutes: 60 });
      const chosen = await choose(userId, {
        kinds: { deposit: { bell: false }, payout: { bell: true } },
        offline_minutes: 15,
      });
      expect(chosen).toMatchObject({
        kinds: { ...byDefault.kinds, deposit: { ...byDefault.kinds.deposit, bell: false } },
        offline_minutes: 15,
      });
      const rows = () =>
        database.query('select kind from notification_choice where user_id = $1', [userId]);
      expect((await rows()).rows).toEqual([{ kind: 'deposit' }]);
      expect((await call(userId, 'GET', '/me/notification-preferences')).json()).toEqual(chosen);
      expect(await choose(userId, {})).toEqual({ ...byDefault, language: 'en' });
      expect((await rows()).rows).toEqual([]);
    });

    test('decide from then on', async () => {
      const userId = await insertUser(database);
      await choose(userId, { kinds: { deposit: { bell: false } } });
      await happen(userId, 'deposit.credited', { id: 1 });
      await happen(userId, 'payout.failed', { id: 1 });
      await follow();
      expect(await codes(userId)).toEqual(['payout_failed']);
    });
  });

  describe('of silent devices', () => {
    test('are notified once for each silence, those of one user together', async () => {
      const [oneId, manyId] = [await insertUser(database), await insertUser(database)];
      const single = await insertDevice(database, oneId);
      const heard = await insertDevice(database, oneId);
      await hear(single.deviceId, 61);
      for (let n = 0; n < 5; n++)
        await hear((await insertDevice(database, manyId)).deviceId, 70 + n);
      await hear(heard.deviceId, 1);
      await watchRound();
      const { records } = await list(oneId);
      expect(records).toMatchObject([
        {
          ...{ kind: 'device_offline', code: 'device_offline' },
          details: { node_id: single.nodeId, name: 'edge-terminal on Linux' },
        },
      ]);
      expect((await list(manyId)).records).toMatchObject([
        { code: 'devices_offline', details: { count: '5' } },
      ]);
      await watchRound();
      expect((await list(oneId)).records).toHaveLength(1);
      // It came back, and fell silent again.
      await hear(single.deviceId, 0);
      await watchRound();
      expect((await list(oneId)).records).toHaveLength(1);
      await hear(single.deviceId, 65);
      await watchRound();
      expect((await list(oneId)).records).toHaveLength(2);
      await database.query('delete from device_presence');
    });

    test('wait as long as their owner chose, and leave out what is not offline', async () => {
      const userId = await insertUser(database);
      await choose(userId, { offline_minutes: 120 });
      const [cut, early, old, again, connected] = [
        await insertDevice(database, userId),
        await insertDevice(database, userId),
        await insertDevice(database, userId),
        await insertDevice(database, userId),
        await insertDevice(database, userId),
      ];
      await hear(cut.deviceId, 200);
      await database.query(
        "update device set cut = 'disconnected', cut_reason = 'owner', cut_at = $2 where id = $1",
        [cut.deviceId, clock.now()],
      );
      await hear(early.deviceId, 100);
      await hear(old.deviceId, 3 * 1440);
      await hear(again.deviceId, 200);
      await database.query('update device set bound_at = $2 where id = $1', [
        ...[again.deviceId, clock.now()],
      ]);
      // Its presence is written every six hours; the instance that holds it is alive.
      await hear(connected.deviceId, 300);
      await database.query(
        `insert into connection_node (node, alive_until, connections)
         values ('00000000-0000-4000-8000-000000000001', $1, 1)`,
        [new Date(clock.now().getTime() + 15_000)],
      );
      await database.query(
        `insert into live_connection (device_id, user_id, address, node, number)
         values ($1, $2, '', '00000000-0000-4000-8000-000000000001', 1)`,
        [connected.deviceId, userId],
      );
      await watchRound();
      expect(await codes(userId)).toEqual([]);
      await hear(early.deviceId, 121);
      await watchRound();
      expect(await codes(userId)).toEqual(['device_offline']);
      for (const table of ['device_presence', 'live_connection', 'connection_node'])
        await database.query(`delete from ${table}`);
    });

    test('of more devices than a step goes through are all found', async () => {
      const [giantId, nextId] = [await insertUser(database), await insertUser(database)];
      await database.query(
        `insert into device (node_id, user_id, device_type, browser, extension_version, os,
           timezone, capabilities, requested_categories, registered_address, created_at, bound_at)
         select 'giant-' || n, $1, 'TERMINAL', '', '', '', 'UTC', '{}', '{}', '', $2, $2
         from generate_series(1, $3::int) as n`,
        [giantId, new Date('2026-01-01'), MANY],
      );
      await hear((await insertDevice(database, nextId)).deviceId, 90);
      await database.query(
        `insert into device_presence (device_id, heard_at, previous_at, address)
         select id, $2, $2, '' from device where user_id = $1`,
        [giantId, new Date(clock.now().getTime() - 90 * MINUTE_MS)],
      );
      await watchRound();
      const counts = (await list(giantId)).records.map(({ details }) => Number(details.count));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(MANY);
      expect(counts.length).toBeLessThanOrEqual(2);
      expect(await codes(nextId)).toEqual(['device_offline']);
      await database.query('delete from device_presence');
    });

    test('are not told soon after the service could not hear them itself', async () => {
      const userId = await insertUser(database);
      await hear((await insertDevice(database, userId)).deviceId, 90);
      passMinutes(10);
      await watchDevices(database, clock);
      expect(await codes(userId)).toEqual([]);
      for (let passed = 0; passed < SETTLING_MS; passed += MINUTE_MS) {
        expect(await codes(userId)).toEqual([]);
        passMinutes(1);
        await watchDevices(database, clock);
      }
      expect(await codes(userId)).toEqual(['device_offline']);
      // As after a crash of the database: the live connections are gone, and so is the watch.
      await hear((await insertDevice(database, userId)).deviceId, 90);
      await database.query('delete from device_watch');
      await watchRound();
      expect(await codes(userId)).toHaveLength(1);
      await database.query('delete from device_presence');
    });
  });

  describe('of silent devices in a large network', () => {
    /** Owner at whom the round is; 0: it has ended. */
    async function position(): Promise<number | undefined> {
      const { rows } = await database.query<{ position: number }>(
        "select position from notification_progress where task = 'devices'",
      );
      return rows[0]?.position;
    }

    test('are found in one run, or in the next one after the instance has ended', async () => {
      const [giantId, nextId] = [await insertUser(database), await insertUser(database)];
      await database.query(
        `insert into device (node_id, user_id, device_type, browser, extension_version, os,
           timezone, capabilities, requested_categories, registered_address, created_at, bound_at)
         select 'large-' || n, $1, 'TERMINAL', '', '', '', 'UTC', '{}', '{}', '', $2, $2
         from generate_series(1, ${LARGE}) as n`,
        [giantId, new Date('2026-01-01')],
      );
      await database.query('analyze device');
      const { deviceId } = await insertDevice(database, nextId);
      await hear(deviceId, 90);
      for (let passed = 0; passed <= ROUND_MS; passed += MINUTE_MS) {
        passMinutes(1);
        await watchDevices(database, clock);
        expect(await position()).toBe(0);
      }
      expect(await codes(nextId)).toEqual(['device_offline']);
      await hear(deviceId, 65);
      const ending = new AbortController();
      let calls = 0;
      const ticking = {
        now: () => {
          if (++calls === 10) ending.abort();
          return clock.now();
        },
      };
      for (let passed = 0; passed <= ROUND_MS && !ending.signal.aborted; passed += MINUTE_MS) {
        passMinutes(1);
        await watchDevices(database, ticking, ending.signal);
      }
      expect(await position()).toBe(giantId);
      expect(await codes(nextId)).toHaveLength(1);
      await watchDevices(database, clock);
      expect(await position()).toBe(0);
      expect(await codes(nextId)).toHaveLength(2);
    });
  });

  describe('of what a day has earned', () => {
    test('come once, with the sum, when the day is paid', async () => {
      const [userId, poorId] = [await insertUser(database), await insertUser(database)];
      await tellDay(deps);
      const today = clock.now().toISOString().slice(0, 10);
      await earn(userId, today, '1500000000000000000');
      await earn(userId, today, '1000000000000000000');
      await earn(userId, today, '77', 'USDT');
      await earn(userId, '2026-11-01', '9000000000000000000');
      await earn(poorId, today, '5');
      await earn(poorId, today, '-5');
      await tellDay(deps);
      expect(await codes(userId)).toEqual([]);
      paid = [today];
      await Promise.all([tellDay(deps), tellDay(deps)]);
      await tellDay(deps);
      expect((await list(userId)).records).toMatchObject([
        { code: 'reward_day', details: { day: today, amount: '2.5', currency: 'EDGE' } },
      ]);
      expect(await codes(poorId)).toEqual([]);
      paid = [];
    });

    test('days that ended long ago are passed over', async () => {
      const userId = await insertUser(database);
      const today = clock.now().toISOString().slice(0, 10);
      await earn(userId, today, '1000000000000000000');
      passMinutes(10 * 1440);
      paid = [today];
      await tellDay(deps);
      expect(await codes(userId)).toEqual([]);
    });
  });
});
