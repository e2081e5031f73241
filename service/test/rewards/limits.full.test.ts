import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.ts';
import { recordTraffic } from '../../src/devices/index.ts';
import { installLedger } from '../../src/ledger/index.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import { activateRules, draftRules, type RulesBody, settleDue } from '../../src/rewards/index.ts';
import { ENGINES, openTestDatabase } from '../support/databases.ts';
import { addOnline, insertDevice, type TestDevice } from '../support/network.ts';
import { testMasterKey } from '../support/test-config.ts';
import { insertUser } from '../support/test-users.ts';

const HOUR_MS = 3_600_000;
const GB = 1_000_000_000n;
const START = new Date('2026-05-01T00:00:00Z');
const ADDRESS = '192.0.2.77';
const at = (hours: number): Date => new Date(START.getTime() + hours * HOUR_MS);

describe.each(ENGINES)('limits and eligibility on %s', (engine) => {
  const clock = createManualClock(START);
  let database: Database;
  let reports = 0;

  async function activate(rules: RulesBody): Promise<void> {
    const deps = { clock, rewardCurrency: 'EDGE' };
    const { version } = await draftRules(database, deps, rules, 'test');
    await activateRules(database, deps, { version, from: START, by: 'test' });
  }

  /** Settles an hour in which each device was online for the given minutes, and moved a GB. */
  async function settleHour(
    hours: number,
    online: readonly (readonly [TestDevice, number])[],
  ): Promise<void> {
    await addOnline(
      database,
      at(hours),
      online.map(([{ id }, minutes]) => ({ deviceId: id, online_ms: minutes * 60_000 })),
    );
    clock.set(new Date(at(hours + 1).getTime() + 600_000));
    for (const [{ nodeId }] of online) {
      const report = {
        reportId: `report ${++reports}`,
        nodeId,
        bytesUp: GB,
        bytesDown: 0n,
        from: at(hours),
        to: at(hours + 1),
      };
      expect(
        await recordTraffic(database, { clock, window_s: 604_800 }, 'relay', [report]),
      ).toEqual([{ status: 'accepted' }]);
    }
    await settleDue({
      database,
      clock,
      rewardCurrency: 'EDGE',
      grace_s: 600,
      period: 'hour' as const,
    });
  }

  /** Time online that was written after its hour was settled, and the run that finds it. */
  async function findLate(hours: number, device: TestDevice, minutes: number): Promise<void> {
    await addOnline(database, at(hours), [{ deviceId: device.id, online_ms: minutes * 60_000 }]);
    await database.query(
      'insert into late_uptime (hour, device_id, changed_at) values ($1, $2, $3)',
      [at(hours), device.id, clock.now()],
    );
    clock.advance(HOUR_MS);
    await settleDue({
      database,
      clock,
      rewardCurrency: 'EDGE',
      grace_s: 600,
      period: 'hour' as const,
    });
  }

  async function linesOf(rewardType: string): Promise<string[]> {
    const { rows } = await database.query<{ line: string }>(
      `select l.user_id || ' ' || l.status || coalesce(' ' || l.reason, '') as line
        from reward_line l where reward_type = $1 order by l.batch_id, l.user_id, l.device_id`,
      [rewardType],
    );
    return rows.map(({ line }) => line);
  }

  beforeEach(async () => {
    database = await openTestDatabase(engine);
    clock.set(new Date(START.getTime() - 1));
    installLedger(database, { clock, masterKey: testMasterKey });
  });
  afterEach(() => database.close());

  test('a device that is not paid anyway takes no place at an address', async () => {
    await activate({
      uptime: { amount: '1' },
      limits: { devices_per_user: 1, devices_per_address: 1 },
    });
    const [greedy, disabled, honest, late] = [
      await insertUser(database),
      await insertUser(database),
      await insertUser(database),
      await insertUser(database),
    ];
    await database.query("update app_user set status = 'disabled' where id = $1", [disabled]);
    const elsewhere = await insertDevice(database, greedy);
    const [second, ofDisabled, ofHonest, ofLate] = await Promise.all(
      [greedy, disabled, honest, late].map((userId) =>
        insertDevice(database, userId, { address: ADDRESS }),
      ),
    );
    if (!second || !ofDisabled || !ofHonest || !ofLate) throw new Error('no devices');
    await settleHour(0, [
      [elsewhere, 60],
      [second, 59],
      [ofDisabled, 58],
      [ofHonest, 57],
      [ofLate, 56],
    ]);
    expect(await linesOf('UPTIME')).toEqual([
      `${greedy} paid`,
      `${greedy} rejected limit_devices_per_user`,
      `${disabled} rejected account_not_active`,
      `${honest} paid`,
      `${late} rejected limit_devices_per_address`,
    ]);
  });

  test('a device found late takes no occupied place, however long it was online', async () => {
    await activate({
      uptime: { amount: '1' },
      limits: { devices_per_user: 1, devices_per_address: 1 },
    });
    const [first, second, disabled] = [
      await insertUser(database),
      await insertUser(database),
      await insertUser(database),
    ];
    await database.query("update app_user set status = 'disabled' where id = $1", [disabled]);
    const [known, beyond] = [
      await insertDevice(database, first, { address: ADDRESS }),
      await insertDevice(database, first),
    ];
    const ofDisabled = await insertDevice(database, disabled, { address: '192.0.2.78' });
    const [taken, free] = [
      await insertDevice(database, second, { address: ADDRESS }),
      await insertDevice(database, second, { address: '192.0.2.78' }),
    ];
    await settleHour(0, [
      [known, 20],
      [ofDisabled, 50],
    ]);
    await findLate(0, taken, 60);
    await findLate(0, beyond, 60);
    await findLate(0, free, 30);
    expect(await linesOf('UPTIME')).toEqual([
      `${first} paid`,
      `${disabled} rejected account_not_active`,
      `${second} rejected limit_devices_per_address`,
      `${first} rejected limit_devices_per_user`,
      `${second} paid`,
    ]);
  });

  test('hours online count for eligibility, hours beyond a limit do not', async () => {
    await activate({
      traffic: [{ category: '*', amount: '1' }],
      referral: [
        { percent: '20', uptime_hours: 0, distinct_addresses: 0 },
        { percent: '10', uptime_hours: 2, distinct_addresses: 0 },
      ],
      limits: { devices_per_user: 1 },
    });
    const top = await insertUser(database);
    const middle = await insertUser(database, { referrerId: top });
    const bottom = await insertUser(database, { referrerId: middle });
    const [device, beyond] = [
      await insertDevice(database, bottom),
      await insertDevice(database, bottom),
    ];
    for (const hours of [0, 1, 2]) {
      await settleHour(hours, [
        [device, 60],
        [beyond, 59],
      ]);
    }
    const [first, second, third] = [0, 1, 2].map((n) => [
      n === 0 ? `${top} rejected gate_not_passed` : `${top} paid`,
      `${middle} paid`,
    ]);
    expect(await linesOf('REFERRAL')).toEqual([
      ...(first ?? []),
      ...(second ?? []),
      ...(third ?? []),
    ]);
  });
});
