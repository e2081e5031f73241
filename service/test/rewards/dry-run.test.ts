import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.ts';
import { installLedger } from '../../src/ledger/index.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import {
  activateRules,
  draftRules,
  dryRun,
  type RulesBody,
  settleDue,
} from '../../src/rewards/index.ts';
import { openTestDatabase, RUN_ENGINES } from '../support/databases.ts';
import { addOnline, insertDevice, type TestDevice } from '../support/network.ts';
import { testMasterKey } from '../support/test-config.ts';
import { insertUser } from '../support/test-users.ts';

const HOUR_MS = 3_600_000;
const START = new Date('2026-05-01T00:00:00Z');
const HOURS = 4;
const UNITS = 10n ** 17n;
const at = (hours: number): Date => new Date(START.getTime() + hours * HOUR_MS);

/** A unit per hour, a tenth of it for the referrer. */
function rules(uptime_hours: number, distinct_addresses: number): RulesBody {
  return {
    uptime: { amount: '1' },
    referral: [{ percent: '10', uptime_hours, distinct_addresses }],
  };
}

describe.each(RUN_ENGINES)('referral rewards in a dry run on %s', (engine) => {
  const clock = createManualClock(START);
  const databases: Database[] = [];
  let database: Database;
  let referrer: number;
  let device: TestDevice;

  const deps = () => ({
    database,
    clock,
    rewardCurrency: 'EDGE',
    grace_s: 600,
    period: 'hour' as const,
  });

  /** A user with a referee whose device was online for four settled hours. */
  async function settle(active: RulesBody): Promise<void> {
    database = await openTestDatabase(engine);
    databases.push(database);
    clock.set(new Date(START.getTime() - 1));
    installLedger(database, { clock, masterKey: testMasterKey });
    referrer = await insertUser(database);
    device = await insertDevice(database, await insertUser(database, { referrerId: referrer }));
    const { version } = await draftRules(database, deps(), active, 'test');
    await activateRules(database, deps(), { version, from: START, by: 'test' });
    for (let n = 0; n < HOURS; n++)
      await addOnline(database, at(n), [{ deviceId: device.id, online_ms: HOUR_MS }]);
    clock.set(new Date(at(HOURS).getTime() + 600_000));
    await settleDue(deps());
  }

  /** How many hours pay the referrer, by the rules that applied and by a draft. */
  async function hoursPaid(
    draft: RulesBody,
    first = 0,
  ): Promise<{ active: number; draft: number }> {
    const { version } = await draftRules(database, deps(), draft, 'test');
    const { byType, users } = await dryRun(database, 'EDGE', {
      version,
      from: at(first),
      before: at(HOURS),
      limit: 10,
    });
    const sums = byType.find(({ rewardType }) => rewardType === 'REFERRAL') ?? {
      active: 0n,
      draft: 0n,
    };
    const ofReferrer = users.find(({ userId }) => userId === referrer) ?? { active: 0n, draft: 0n };
    expect(ofReferrer).toMatchObject({ active: sums.active, draft: sums.draft });
    return { active: Number(sums.active / UNITS), draft: Number(sums.draft / UNITS) };
  }

  afterAll(async () => {
    for (const opened of databases) await opened.close();
  });

  describe('under rules without eligibility', () => {
    beforeAll(() => settle({ uptime: { amount: '1' } }));

    test.each([
      [rules(0, 0), HOURS],
      [rules(0, 1), HOURS],
      [rules(3, 1), 2],
      [rules(100, 1), 0],
      [rules(0, 2), 0],
    ])('%j', async (draft, hours) => {
      expect(await hoursPaid(draft)).toEqual({ active: 0, draft: hours });
    });
  });

  describe('under rules that counted the referee from the second hour', () => {
    beforeAll(() => settle(rules(2, 1)));

    test('the same rules pay the same, at whatever hour the dry run begins', async () => {
      expect(await hoursPaid(rules(2, 1))).toEqual({ active: 3, draft: 3 });
      expect(await hoursPaid(rules(2, 1), 1)).toEqual({ active: 3, draft: 3 });
      expect(await hoursPaid(rules(2, 1), 2)).toEqual({ active: 2, draft: 2 });
      const { rows } = await database.query<{ amount: string }>(
        "select sum(amount) as amount from earning_day where reward_type = 'REFERRAL'",
      );
      expect(BigInt(rows[0]?.amount ?? 0)).toBe(3n * UNITS);
    });

    test('other conditions continue from the counts of the first hour', async () => {
      expect(await hoursPaid(rules(3, 1), 2)).toEqual({ active: 2, draft: 2 });
      expect(await hoursPaid(rules(4, 1), 2)).toEqual({ active: 2, draft: 1 });
      expect(await hoursPaid(rules(100, 5), 2)).toEqual({ active: 2, draft: 0 });
      expect(await hoursPaid(rules(0, 0))).toEqual({ active: 3, draft: HOURS });
    });

    test('a referrer whose account is not active is not shown as paid', async () => {
      await database.query("update app_user set status = 'disabled' where id = $1", [referrer]);
      expect(await hoursPaid(rules(0, 0))).toEqual({ active: 0, draft: 0 });
      await database.query("update app_user set status = 'active' where id = $1", [referrer]);
    });

    test('a reward that would be held is not shown as paid', async () => {
      await insertDevice(database, await insertUser(database), { address: device.address });
      expect(await hoursPaid(rules(2, 1))).toEqual({ active: 3, draft: 0 });
      expect(await hoursPaid(rules(2, 0))).toEqual({ active: 3, draft: 3 });
    });
  });
});
