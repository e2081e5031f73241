/** Corrections compute what changed, with the result of a computation of all devices. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/databases.ts';
import {
  addOnline,
  createRandom,
  insertDevice,
  type TestDevice,
} from '../../test/support/network.ts';
import { sized } from '../../test/support/scale.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { type Database, type Transaction, transaction } from '../db/index.ts';
import { recordTraffic } from '../devices/index.ts';
import { installLedger } from '../ledger/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { activateRules, draftRules, type RulesBody, settleDue } from './index.ts';
import { insertDeviceCorrections, insertReferralCorrections } from './insert-lines.ts';
import { listLateHours, queueChangedDevices, queueReferrers, takeLate } from './late-changes.ts';
import { loadRules, scaleOfRewards } from './manage-rules.ts';

const HOUR_MS = 3_600_000;
const START = new Date('2026-05-01T00:00:00Z');
const HOURS = sized({ quick: 8, full: 30, soak: 200 });
const DEVICES = 20;
const RULES: RulesBody = {
  uptime: { amount: '0.123456789123456789' },
  traffic: [{ category: '*', amount: '1.000000000000000001' }],
  referral: [{ percent: '7.0001', uptime_hours: 0, distinct_addresses: 0 }],
  campaigns: [
    {
      ...{ name: 'spring', percent: '12.5' },
      ...{ from: '2026-01-01T00:00:00Z', before: '2027-01-01T00:00:00Z' },
    },
  ],
  limits: { devices_per_user: 2, devices_per_address: 2, gb_per_device_hour: 2 },
};

interface Correction {
  readonly id: number;
  readonly since: Date | null;
  readonly until: Date;
}

/** Undoes what it did. */
class RolledBack extends Error {}

/** All users are in one bucket, or each in one of its own. */
const CASES = [
  ['embedded', 1],
  ['server', 1],
  ['server', undefined],
] as const;

describe.each(CASES)('corrections on %s in buckets of %s', (engine, usersPerBucket) => {
  const clock = createManualClock(new Date(START.getTime() - 1));
  const random = createRandom(5);
  const devices: TestDevice[] = [];
  const deps = () => ({
    ...{ database, clock, rewardCurrency: 'EDGE', grace_s: 600 },
    period: 'hour' as const,
    ...(usersPerBucket !== undefined && { usersPerBucket }),
  });
  let database: Database;
  let reports = 0;

  beforeAll(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
    installLedger(database, { clock, masterKey: testMasterKey });
    const users: number[] = [];
    for (let n = 0; n < DEVICES; n++) {
      const referrerId = users[random(users.length)];
      const userId =
        users[random(2 * users.length)] ??
        (await insertUser(database, referrerId === undefined ? {} : { referrerId }));
      users.push(userId);
      const address = `10.0.0.${random(9)}`;
      devices.push(await insertDevice(database, userId, { address }));
    }
    const { version } = await draftRules(database, deps(), RULES, 'test');
    await activateRules(database, deps(), { version, from: START, by: 'test' });
  });
  afterAll(() => database.close());

  const at = (hour: number): Date => new Date(START.getTime() + hour * HOUR_MS);
  const isSome = (): boolean => random(3) === 0;

  async function report(device: TestDevice, hour: number): Promise<void> {
    await recordTraffic(database, { clock, window_s: 604_800 }, 'relay', [
      {
        ...{ reportId: `report ${reports++}`, nodeId: device.nodeId },
        ...{ bytesUp: BigInt(1 + random(2_500_000_000)), bytesDown: 0n },
        ...{ from: at(hour), to: at(hour + 1) },
      },
    ]);
  }

  /** Time online that was not there when the hour was computed. */
  async function beLate(device: TestDevice, hour: number): Promise<void> {
    await database.query(
      `insert into device_hour as h (device_id, hour, online_ms) values ($1, $2, $3)
        on conflict (device_id, hour) do update
        set online_ms = least(${HOUR_MS}, h.online_ms + excluded.online_ms)`,
      [device.id, at(hour), 1 + random(HOUR_MS)],
    );
    await database.query(
      `insert into late_uptime (hour, device_id, changed_at) values ($1, $2, $3)
        on conflict (hour, device_id) do update set changed_at = excluded.changed_at`,
      [at(hour), device.id, clock.now()],
    );
  }

  /** Referral rewards of an hour have another order in buckets than in one. */
  const linesOf = async (tx: Transaction, batch: number): Promise<unknown[]> => {
    const { rows } = await tx.query<{ leaf: number | undefined }>(
      `select * from reward_line where batch_id = $1
        order by hour, level, user_id, device_id, reward_type desc, part, status, reason`,
      [batch],
    );
    const leaves = rows.map(({ leaf }) => leaf).sort((a, b) => (a ?? 0) - (b ?? 0));
    expect(leaves).toEqual(rows.map((_, n) => n));
    if (usersPerBucket !== undefined) for (const row of rows) row.leaf = undefined;
    return rows;
  };

  async function lastCorrection(): Promise<Correction> {
    const { rows } = await database.query<Correction>(
      `select id, since, until from reward_batch where kind = 'correction'
        order by id desc limit 1`,
    );
    if (!rows[0]) throw new Error('there is no correction');
    return rows[0];
  }

  /** Computes a correction once more: all devices of all hours. */
  async function compareWithAll(correction: Correction): Promise<number> {
    const { id: batch } = correction;
    let count = 0;
    const compare = transaction(database, async (tx) => {
      const expected = await linesOf(tx, batch);
      count = expected.length;
      await tx.query('delete from reward_line where batch_id = $1', [batch]);
      const scale = await scaleOfRewards(tx, 'EDGE');
      const { rows } = await tx.query<{ hour: Date; version: number }>(
        `select hour, rule_version as version from reward_batch
          where kind = 'hour' and state <> 'open' order by hour`,
      );
      let lines = 0;
      for (const { hour, version } of rows) {
        const rules = await loadRules(tx, version, scale);
        const scope = { batch, hour, version, rules };
        const all = devices.map(({ id }) => id);
        const first = lines;
        lines += await insertDeviceCorrections(tx, lines, scope, all);
        await queueReferrers(tx, batch, first, rules.referral);
        const referrers = await takeLate(tx, batch, DEVICES);
        lines += await insertReferralCorrections(tx, lines, scope, referrers);
      }
      expect(await linesOf(tx, batch)).toEqual(expected);
      throw new RolledBack();
    });
    await compare.catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
    return count;
  }

  test('random changes have the lines of a computation of all devices', async () => {
    let corrected = 0;
    for (let hour = 0; hour < HOURS; hour++) {
      clock.set(at(hour + 1));
      const online = devices.filter(isSome);
      await addOnline(
        database,
        at(hour),
        online.map(({ id }) => ({ deviceId: id, online_ms: 1 + random(HOUR_MS) })),
      );
      for (const device of devices.filter(isSome)) await report(device, hour);
      for (let n = 0; hour > 0 && n < 4; n++) {
        const device = devices[random(DEVICES)];
        const changed = Math.max(0, hour - 1 - random(3));
        if (!device) continue;
        await (isSome() ? report(device, changed) : beLate(device, changed));
      }
      clock.set(new Date(at(hour + 1).getTime() + 600_001));
      await settleDue(deps());
      corrected += await compareWithAll(await lastCorrection());
    }
    expect(corrected).toBeGreaterThan(HOURS);
  });

  test('a device whose line has all of its reports is not computed again', async () => {
    const first = HOURS;
    clock.set(at(first + 1));
    for (const device of devices) await report(device, first);
    clock.set(new Date(at(first + 1).getTime() + 600_001));
    await settleDue(deps());
    const late = devices[3];
    if (!late) throw new Error('there is no device');
    await report(late, first);
    const { since } = await lastCorrection();
    await transaction(database, async (tx) => {
      const range = { since, until: new Date(clock.now().getTime() + 1) };
      const hours = await listLateHours(tx, range);
      const computed = hours.filter(({ hour }) => hour.getTime() === at(first).getTime());
      expect(computed).toHaveLength(1);
      for (const hour of computed) {
        await queueChangedDevices(tx, hour, { id: 0, ...range });
        expect(await takeLate(tx, 0, DEVICES)).toEqual([
          { userId: late.userId, deviceId: late.id, level: 0 },
        ]);
      }
    });
  });

  test('an address has its limit over all corrections of an hour', async () => {
    const hour = HOURS + 2;
    const late: TestDevice[] = [];
    for (let n = 0; n < 3; n++)
      late.push(await insertDevice(database, await insertUser(database), { address: '10.1.1.1' }));
    devices.push(...late);
    clock.set(new Date(at(hour + 1).getTime() + 600_001));
    await settleDue(deps());
    for (const [n, device] of late.entries()) {
      await beLate(device, hour);
      await database.query(
        'update device_hour set online_ms = $3 where device_id = $1 and hour = $2',
        [device.id, at(hour), 1000 * (n + 1)],
      );
      // Later than all changes that the correction before has read.
      clock.advance(HOUR_MS);
      await settleDue(deps());
      await compareWithAll(await lastCorrection());
    }
    const { rows } = await database.query<{ device_id: number; reason: string | null }>(
      `select device_id, reason from reward_line
        where hour = $1 and reward_type = 'UPTIME' and device_id = any($2::bigint[]) order by 1`,
      [at(hour), late.map(({ id }) => id)],
    );
    expect(rows.map(({ reason }) => reason)).toEqual([null, null, 'limit_devices_per_address']);
  });
});
