import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkEarningsIdentity } from '../../test/support/check-earnings.ts';
import { type Engine, openTestDatabase } from '../../test/support/databases.ts';
import {
  addOnline,
  createRandom,
  insertDevice,
  type TestDevice,
} from '../../test/support/network.ts';
import { LEVELS } from '../../test/support/referral-levels.ts';
import { settleNaively } from '../../test/support/rewards-reference-model.ts';
import { sized } from '../../test/support/scale.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { insertUser } from '../../test/support/test-users.ts';
import type { Database } from '../db/index.ts';
import { recordTraffic } from '../devices/index.ts';
import { installLedger } from '../ledger/index.ts';
import { createManualClock } from '../lib/clock.ts';
import {
  activateRules,
  draftRules,
  type RulesBody,
  releaseHeld,
  settleDue,
  verifySettlements,
} from './index.ts';

const HOUR_MS = 3_600_000;
/** Enough hours that every kind of line is reached, which is asserted. */
const DEVICES = sized({ quick: 26, full: 26, soak: 1000 });
const HOURS = sized({ quick: 34, full: 34, soak: Number(process.env.SOAK_HOURS ?? 30 * 24) });
const TIMEOUT_MS = sized({ quick: 600_000, full: 600_000, soak: 7_200_000 });
/** So that a leap day and the end of a month are included. */
const START = new Date('2028-02-28T18:00:00Z');

const FIRST: RulesBody = {
  uptime: { amount: '0.123456789123456789' },
  traffic: [
    { category: 'web', amount: '3.7' },
    { category: '*', amount: '1.000000000000000001' },
  ],
  // The last level demands more addresses than the one before it.
  referral: LEVELS.map((level) => ({
    percent: `${5 * level}.000${level}`,
    uptime_hours: 4 + level,
    distinct_addresses: (LEVELS.length - level) % 2 === 0 ? 2 : 1,
  })),
  campaigns: [
    {
      name: 'leap day',
      percent: '50',
      from: '2028-02-29T00:00:00Z',
      before: '2028-03-01T00:00:00Z',
      device_type: 'TERMINAL',
    },
  ],
  limits: { devices_per_user: 3, devices_per_address: 2, gb_per_device_hour: 2 },
};
const SECOND: RulesBody = {
  ...FIRST,
  uptime: { amount: '7' },
  traffic: [{ category: 'web', amount: '1' }],
  limits: { devices_per_user: 2 },
};

interface UsageReport {
  readonly id: string;
  readonly from: Date;
  readonly to: Date;
  readonly bytes: bigint;
  readonly category: string | undefined;
}

describe.each(
  sized<readonly Engine[]>({ quick: ['server'], full: ['embedded'], soak: ['server'] }),
)('settlement on %s', (engine) => {
  const clock = createManualClock(new Date(START.getTime() - 1));
  const online = new Map<string, number>();
  const traffic = new Map<string, Map<string, bigint>>();
  const devices: TestDevice[] = [];
  const referrers = new Map<number, number>();
  /** The current state, and the state when each hour was settled. */
  const addresses = new Map<number, string>();
  const disabled = new Set<number>();
  const addressesThen = new Map<string, string>();
  const disabledThen = new Set<string>();
  const released = new Map<number, Date>();
  let database: Database;

  /** Users share addresses and referrers across buckets. */
  const deps = () => ({
    database,
    clock,
    rewardCurrency: 'EDGE',
    grace_s: 600,
    period: 'hour' as const,
    usersPerBucket: Math.ceil(DEVICES / 8),
  });
  const key = (id: number, hour: Date): string => `${id} ${hour.getTime()}`;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    installLedger(database, { clock, masterKey: testMasterKey });
    const random = createRandom(11);
    await addDevices(await addUsers(random), random);
    const draft = await draftRules(database, deps(), FIRST, 'test');
    await activateRules(database, deps(), { version: draft.version, from: START, by: 'test' });
  });
  afterAll(() => database.close());

  const anyOf = (users: readonly number[], random: (n: number) => number): number =>
    users[random(users.length)] ?? 0;

  /** The first users are a chain as long as the levels; the others are referred by anyone. */
  async function addUsers(random: (n: number) => number): Promise<number[]> {
    const users: number[] = [];
    for (let n = 0; n < DEVICES / 2; n++) {
      const anyReferrer = random(10) > 1 ? anyOf(users, random) : 0;
      const referrerId = n <= LEVELS.length ? (users[n - 1] ?? 0) : anyReferrer;
      const userId = await insertUser(database, referrerId === 0 ? {} : { referrerId });
      users.push(userId);
      if (referrerId !== 0) referrers.set(userId, referrerId);
    }
    return users;
  }

  /** Some share an address: limits and clusters. Each user of the chain has a device. */
  async function addDevices(
    users: readonly number[],
    random: (n: number) => number,
  ): Promise<void> {
    for (let n = 0; n < DEVICES; n++) {
      const address = random(4) === 0 ? `10.0.0.${random(3)}` : `203.0.113.${n}`;
      const owner = n <= LEVELS.length ? users[n] : undefined;
      const device = await insertDevice(database, owner ?? anyOf(users, random), {
        address,
        deviceType: n % 2 === 0 ? 'TERMINAL' : 'EXTENSION',
      });
      devices.push(device);
      addresses.set(device.id, address);
    }
  }

  /** Devices move to other addresses, accounts are disabled and enabled again. */
  async function change(random: (n: number) => number): Promise<void> {
    for (const { id } of devices.filter(() => random(30) === 0)) {
      const address = random(2) === 0 ? `10.0.0.${random(3)}` : `192.0.2.${random(DEVICES)}`;
      addresses.set(id, address);
      await database.query(
        `insert into device_presence (device_id, heard_at, previous_at, address)
          values ($1, $2, $2, $3)
          on conflict (device_id) do update set address = excluded.address`,
        [id, clock.now(), address],
      );
    }
    for (const userId of new Set(devices.map((device) => device.userId))) {
      if (random(disabled.has(userId) ? 4 : 60) > 0) continue;
      if (!disabled.delete(userId)) disabled.add(userId);
      await database.query('update app_user set status = $2 where id = $1', [
        userId,
        disabled.has(userId) ? 'disabled' : 'active',
      ]);
    }
  }

  /** Settles what is due, and stores the data by which the hour was judged. */
  async function settleHour(hour: Date): Promise<void> {
    clock.set(new Date(hour.getTime() + HOUR_MS + 600_000));
    await settleDue(deps());
    for (const [deviceId, address] of addresses) addressesThen.set(key(deviceId, hour), address);
    for (const userId of disabled) disabledThen.add(key(userId, hour));
  }

  /** Occasionally an operator accepts a cluster, from the next hour on. */
  async function releaseSome(random: (n: number) => number, hour: Date): Promise<void> {
    const { rows } = await database.query<{ id: number }>(
      `select user_id as id from reward_user where hold_reason is not null and released_at is null
        order by 1`,
    );
    for (const { id } of rows.filter(() => random(40) === 0)) {
      await releaseHeld(database, clock, id, 'test');
      released.set(id, new Date(hour.getTime() + HOUR_MS));
    }
  }

  async function report(
    device: TestDevice,
    { id, from, to, bytes, category }: UsageReport,
  ): Promise<void> {
    const result = await recordTraffic(database, { clock, window_s: 604_800 }, 'relay', [
      {
        reportId: id,
        nodeId: device.nodeId,
        bytesUp: bytes / 3n,
        bytesDown: bytes - bytes / 3n,
        from,
        to,
        ...(category !== undefined && { category }),
      },
    ]);
    expect(result).toEqual([{ status: 'accepted' }]);
  }

  async function readTraffic(): Promise<void> {
    const { rows: measured } = await database.query<{
      device_id: number;
      hour: Date;
      category: string;
      bytes: string;
    }>('select * from traffic_hour');
    for (const { device_id, hour, category, bytes } of measured) {
      const known = traffic.get(key(device_id, hour)) ?? new Map<string, bigint>();
      traffic.set(key(device_id, hour), known.set(category, BigInt(bytes)));
    }
  }

  test(
    'hour by hour, with late reports and new rules, equals the naive recomputation',
    async () => {
      const random = createRandom(5);
      const hours: { hour: Date; rules: RulesBody }[] = [];
      const changeAt = Math.floor(HOURS / 2);
      for (let n = 0; n < HOURS; n++) {
        const hour = new Date(START.getTime() + n * HOUR_MS);
        const times = devices
          .filter(() => random(4) > 0)
          .map(({ id }) => ({
            deviceId: id,
            online_ms: random(3) === 0 ? HOUR_MS : 1 + random(HOUR_MS),
          }));
        await addOnline(database, hour, times);
        for (const { deviceId, online_ms } of times) online.set(key(deviceId, hour), online_ms);
        for (const device of devices.filter(() => random(5) === 0)) {
          clock.set(new Date(hour.getTime() + HOUR_MS + random(500_000)));
          // Some reports are late, and cover several settled hours.
          const span = random(4) === 0 ? Math.min(n, 1 + random(20)) : 0;
          const from = new Date(hour.getTime() - span * HOUR_MS + random(1000));
          const category = [undefined, 'web', 'video'][random(3)];
          await report(device, {
            id: `${n}-${device.id}`,
            from,
            to: new Date(hour.getTime() + 1000 + random(HOUR_MS - 1000)),
            bytes: BigInt(random(3_000_000_000)),
            category,
          });
        }
        if (n === changeAt - 1) {
          clock.set(new Date(hour.getTime() + HOUR_MS / 2));
          const draft = await draftRules(database, deps(), SECOND, 'test');
          await activateRules(database, deps(), {
            version: draft.version,
            from: new Date(hour.getTime() + HOUR_MS),
            by: 'test',
          });
        }
        hours.push({ hour, rules: n < changeAt ? FIRST : SECOND });
        await change(random);
        await settleHour(hour);
        await releaseSome(random, hour);
      }
      clock.advance(2 * HOUR_MS);
      await settleDue(deps());

      await readTraffic();
      const { paid, held } = settleNaively({
        devices,
        referrers,
        hours,
        onlineOf: (deviceId, hour) => online.get(key(deviceId, hour)) ?? 0,
        trafficOf: (deviceId, hour) => traffic.get(key(deviceId, hour)) ?? new Map(),
        addressOf: (deviceId, hour) => addressesThen.get(key(deviceId, hour)) ?? '',
        isActive: (userId, hour) => !disabledThen.has(key(userId, hour)),
        releasedFrom: (userId) => released.get(userId),
      });
      const { rows } = await database.query<{
        user_id: number;
        reward_type: string;
        day: string;
        amount: string;
      }>(
        `select user_id, reward_type, day, sum(amount) as amount from earning_day
          group by 1, 2, 3 having sum(amount) <> 0`,
      );
      const settled = new Map(
        rows.map((row) => [`${row.user_id} ${row.reward_type} ${row.day}`, BigInt(row.amount)]),
      );
      expect(new Map([...settled].sort())).toEqual(new Map([...paid].sort()));
      const { rows: heldRows } = await database.query<{
        user_id: number;
        referee_id: number;
        amount: string;
      }>(
        `select user_id, referee_id, sum(amount) as amount from reward_line where status = 'held'
          and referee_id not in (select user_id from reward_user where released_at is not null)
            group by 1, 2`,
      );
      expect(
        new Map(
          heldRows
            .map((row) => [`${row.user_id} ${row.referee_id}`, BigInt(row.amount)] as const)
            .sort(),
        ),
      ).toEqual(new Map([...held].sort()));
      // Every kind of line was reached; otherwise the simulation would prove little.
      const { rows: kinds } = await database.query<{ kind: string }>(
        `select distinct reward_type || ' ' || status || ' ' || coalesce(reason, '') as kind
          from reward_line`,
      );
      expect(kinds.map(({ kind }) => kind)).toEqual(
        expect.arrayContaining([
          'UPTIME paid ',
          'UPTIME rejected limit_devices_per_user',
          'UPTIME rejected limit_devices_per_address',
          'TRAFFIC paid ',
          'TRAFFIC paid limit_gb_per_device',
          'TRAFFIC rejected not_online',
          'TRAFFIC rejected no_rate',
          'BONUS paid ',
          'REFERRAL paid ',
          'REFERRAL held shared_address',
          'REFERRAL rejected gate_not_passed',
          'REFERRAL rejected account_not_active',
          'REFERRAL paid shared_address',
        ]),
      );
      const { rows: levels } = await database.query<{ kind: string; levels: number[] }>(
        `select kind, array_agg(distinct level::int order by level::int) as levels
          from reward_line l join reward_batch b on b.id = l.batch_id
          where l.level > 0 and l.status = 'paid' group by kind order by kind`,
      );
      expect(levels).toEqual([
        { kind: 'correction', levels: LEVELS },
        { kind: 'hour', levels: LEVELS },
        { kind: 'release', levels: expect.anything() },
      ]);
      const { rows: corrections } = await database.query<{ n: number }>(
        "select coalesce(sum(lines), 0)::int as n from reward_batch where kind = 'correction'",
      );
      expect(corrections[0]?.n).toBeGreaterThan(10);
      expect((await verifySettlements(database)).problems).toEqual([]);
      for (const userId of new Set(devices.slice(0, 10).map((device) => device.userId)))
        await checkEarningsIdentity(database, userId);
    },
    TIMEOUT_MS,
  );

  test('settling again, on several instances at once, changes nothing', async () => {
    const count = async () =>
      (
        await database.query(
          `select (select count(*) from transfer) as transfers,
            (select count(*) from reward_line) as lines,
            (select sum(posted) from reward_batch) as posted`,
        )
      ).rows;
    const before = await count();
    await Promise.all([1, 2, 3].map(() => settleDue(deps())));
    expect(await count()).toEqual(before);
  });
});
