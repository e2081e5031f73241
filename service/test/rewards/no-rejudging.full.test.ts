import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.ts';
import { recordTraffic } from '../../src/devices/index.ts';
import { installLedger } from '../../src/ledger/index.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import {
  activateRules,
  createProofKey,
  draftRules,
  type RulesBody,
  releaseHeld,
  settleDue,
  verifySettlements,
} from '../../src/rewards/index.ts';
import { buildProof } from '../../src/rewards/proofs/build-proof.ts';
import { checkEarningsIdentity } from '../support/check-earnings.ts';
import { openTestDatabase, RUN_ENGINES } from '../support/databases.ts';
import { addOnline, insertDevice, type TestDevice } from '../support/network.ts';
import { testMasterKey } from '../support/test-config.ts';
import { insertUser } from '../support/test-users.ts';

const HOUR_MS = 3_600_000;
const GB = 1_000_000_000n;
const START = new Date('2026-05-01T00:00:00Z');
const SHARED = '192.0.2.77';
const RULES: RulesBody = {
  uptime: { amount: '1' },
  traffic: [{ category: '*', amount: '1' }],
  referral: [
    { percent: '20', uptime_hours: 1, distinct_addresses: 1 },
    { percent: '10', uptime_hours: 3, distinct_addresses: 1 },
  ],
};
const at = (hours: number): Date => new Date(START.getTime() + hours * HOUR_MS);

describe.each(RUN_ENGINES)('the eligibility of a referee is judged once, on %s', (engine) => {
  const clock = createManualClock(START);
  let database: Database;
  let referrer: number;
  let referee: TestDevice;
  let other: TestDevice;

  const settle = () =>
    settleDue({ database, clock, rewardCurrency: 'EDGE', grace_s: 600, period: 'hour' as const });

  /** All named users are online for an hour, which is then settled. */
  async function settleHour(hours: number, ...online: TestDevice[]): Promise<void> {
    await addOnline(
      database,
      at(hours),
      online.map(({ id }) => ({ deviceId: id, online_ms: HOUR_MS })),
    );
    clock.set(new Date(at(hours + 1).getTime() + 600_000));
    await settle();
  }

  /** A report about a settled hour, and the run that finds it. */
  async function reportLate(device: TestDevice, hours: number, bytesUp: bigint): Promise<void> {
    clock.advance(HOUR_MS);
    const [from, to] = [new Date(at(hours).getTime() + 1000), at(hours + 1)];
    const report = {
      reportId: `late ${clock.now().getTime()}`,
      nodeId: device.nodeId,
      bytesUp,
      bytesDown: 0n,
      from,
      to,
    };
    expect(await recordTraffic(database, { clock, window_s: 604_800 }, 'relay', [report])).toEqual([
      { status: 'accepted' },
    ]);
    clock.advance(1);
    await settle();
  }

  async function moveToSharedAddress(): Promise<void> {
    await insertDevice(database, await insertUser(database), { address: SHARED });
  }

  const setStatus = (status: string) =>
    database.query('update app_user set status = $2 where id = $1', [referrer, status]);

  /** What the referrer was paid for an hour, in thousandths. */
  async function paidFor(hours: number): Promise<number> {
    const { rows } = await database.query<{ amount: string }>(
      `select coalesce(sum(case when b.code = 'referral_reward'
        and t.credit_wallet / 32 = $1 then t.amount else -t.amount end), 0) as amount
        from transfer t join transaction_type b on b.id = t.business_id
        where t.event_at = $2 and b.code = 'referral_reward'
          and $1 in (t.credit_wallet / 32, t.debit_wallet / 32)`,
      [referrer, at(hours)],
    );
    return Number(BigInt(rows[0]?.amount ?? 0) / 10n ** 15n);
  }

  /** Status, settled before and amount of the referral lines of an hour, in thousandths. */
  async function linesOf(hours: number): Promise<string[]> {
    const { rows } = await database.query<{ status: string; before: string; amount: string }>(
      `select status, div(settled_before, 1e15)::text as before, div(amount, 1e15)::text as amount
        from reward_line
        where user_id = $1 and hour = $2 and level = 1 order by batch_id, leaf`,
      [referrer, at(hours)],
    );
    return rows.map(({ status, before, amount }) => `${status} ${before} ${amount}`);
  }

  /** Every bill of the referrer can be explained from its line. */
  async function proveAll(): Promise<void> {
    const { rows } = await database.query<{ bill: number }>(
      `select id * 2 + case when credit_wallet / 32 = $1 then 0 else 1 end as bill from transfer
        where $1 in (credit_wallet / 32, debit_wallet / 32)`,
      [referrer],
    );
    for (const { bill } of rows)
      expect(
        await buildProof({ db: database, key: createProofKey(testMasterKey) }, referrer, bill),
      ).toMatchObject({ bill: { id: bill } });
  }

  beforeEach(async () => {
    database = await openTestDatabase(engine);
    clock.set(new Date(START.getTime() - 1));
    installLedger(database, { clock, masterKey: testMasterKey });
    referrer = await insertUser(database);
    referee = await insertDevice(database, await insertUser(database, { referrerId: referrer }), {
      address: SHARED,
    });
    other = await insertDevice(database, await insertUser(database, { referrerId: referrer }));
    const { version } = await draftRules(
      database,
      { clock, rewardCurrency: 'EDGE' },
      RULES,
      'test',
    );
    await activateRules(
      database,
      { clock, rewardCurrency: 'EDGE' },
      { version, from: START, by: 'test' },
    );
  });
  afterEach(async () => {
    await checkEarningsIdentity(database, referrer);
    await proveAll();
    expect((await verifySettlements(database)).problems).toEqual([]);
    await database.close();
  });

  test('a hold affects later hours: late work of an earlier hour is paid, once', async () => {
    await settleHour(0, referee);
    await settleHour(1, referee);
    await moveToSharedAddress();
    await settleHour(2, referee);
    await settleHour(3, referee);
    expect(await Promise.all([0, 1, 2, 3].map(linesOf))).toEqual([
      ['paid 0 200'],
      ['paid 0 200'],
      ['held 0 200'],
      ['held 0 200'],
    ]);
    await reportLate(referee, 1, GB);
    expect(await linesOf(1)).toEqual(['paid 0 200', 'paid 200 200']);
    await releaseHeld(database, clock, referee.userId, 'test');
    await settle();
    await settle();
    expect(await Promise.all([0, 1, 2, 3].map(paidFor))).toEqual([200, 400, 200, 200]);
  });

  test('late work of another user changes nothing for a held referee', async () => {
    await settleHour(0, referee, other);
    await settleHour(1, referee, other);
    await moveToSharedAddress();
    await settleHour(2, referee, other);
    expect(await linesOf(2)).toEqual(['held 0 200', 'paid 0 200']);
    await reportLate(other, 1, GB / 200n);
    expect(await linesOf(1)).toEqual(['paid 0 400', 'paid 400 1']);
    await reportLate(other, 2, GB / 200n);
    expect(await linesOf(2)).toEqual(['held 0 200', 'paid 0 200', 'paid 200 1']);
  });

  test('late work of a held hour is held, and paid after the release in addition', async () => {
    await moveToSharedAddress();
    await settleHour(0, referee, other);
    await reportLate(referee, 0, GB);
    expect(await linesOf(0)).toEqual(['held 0 200', 'paid 0 200', 'held 200 200']);
    await releaseHeld(database, clock, referee.userId, 'test');
    await reportLate(referee, 0, GB);
    await settle();
    expect(await paidFor(0)).toBe(200 + 600);
    await reportLate(referee, 0, GB / 2n);
    await reportLate(other, 0, GB);
    expect(await paidFor(0)).toBe(400 + 700);
  });

  test('a release that runs while late work of its hours is found pays it once', async () => {
    await moveToSharedAddress();
    await settleHour(0, referee);
    await releaseHeld(database, clock, referee.userId, 'test');
    // Another run that cannot be computed delays the release.
    await database.query(
      `insert into reward_batch (kind, hour, rule_version, state, salt_key, created_at)
        values ('hour', $1, 99, 'open', 'salt', $2)`,
      [at(1), clock.now()],
    );
    clock.advance(HOUR_MS);
    const [from, to] = [at(0), at(1)];
    await recordTraffic(database, { clock, window_s: 604_800 }, 'relay', [
      { reportId: 'waits', nodeId: referee.nodeId, bytesUp: GB, bytesDown: 0n, from, to },
    ]);
    clock.advance(1);
    await expect(settle()).rejects.toThrow();
    expect(await linesOf(0)).toEqual(['held 0 200', 'held 200 200']);
    await database.query("delete from reward_batch where kind = 'hour' and state = 'open'");
    await settle();
    expect(await paidFor(0)).toBe(400);
  });

  test('a referrer disabled in that hour gets nothing for late work', async () => {
    await setStatus('disabled');
    await settleHour(0, referee);
    expect(await linesOf(0)).toEqual(['rejected 0 0']);
    await setStatus('active');
    await reportLate(referee, 0, 10n);
    expect(await paidFor(0)).toBe(0);
    expect(await linesOf(0)).toEqual(['rejected 0 0', 'rejected 0 0']);
  });

  test('a referrer active in that hour is paid late work, though disabled by then', async () => {
    await settleHour(0, referee);
    await setStatus('disabled');
    await reportLate(referee, 0, GB);
    expect(await linesOf(0)).toEqual(['paid 0 200', 'paid 200 200']);
  });

  test('a user first seen by a correction is judged then, and not again by the next', async () => {
    await settleHour(0, other);
    await settleHour(1);
    await setStatus('disabled');
    await addOnline(database, at(1), [{ deviceId: other.id, online_ms: HOUR_MS }]);
    await database.query(
      'insert into late_uptime (hour, device_id, changed_at) values ($1, $2, $3)',
      [at(1), other.id, clock.now()],
    );
    clock.advance(HOUR_MS);
    await settle();
    expect(await linesOf(1)).toEqual(['rejected 0 0']);
    await setStatus('active');
    await reportLate(other, 1, GB);
    expect(await paidFor(1)).toBe(0);
  });
});
