/** Hours that are paid with their UTC day: once, whatever is killed, races or is set meanwhile. */
import { verifyRewardProof } from '@edge-account/sdk/reward-proof';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkEarningsIdentity } from '../../test/support/check-earnings.ts';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { createDayNetwork } from '../../test/support/day-network.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { type Database, transaction } from '../db/index.ts';
import { recordTraffic } from '../devices/index.ts';
import { createProofKey, readAccrued, settleDue, verifySettlements } from './index.ts';
import { buildProof } from './proofs/build-proof.ts';

const HOUR_MS = 3_600_000;
const proofKey = createProofKey(testMasterKey);

describe.each(ENGINES)('rewards paid by the day, on %s', (engine) => {
  let database: Database;
  let lab: Awaited<ReturnType<typeof createDayNetwork>>;

  beforeAll(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
    lab = await createDayNetwork(database, 2);
  });
  afterAll(() => database.close());

  async function accruedOf(userId: number): Promise<bigint> {
    const accrued = await readAccrued(database, userId);
    return accrued.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  }

  async function balanceOf(userId: number): Promise<bigint> {
    const { rows } = await database.query<{ balance: string }>(
      `select coalesce(sum(credits - debits), 0)::text as balance from account
        where wallet_id = $1 * 32::bigint + 2`,
      [userId],
    );
    return BigInt(rows[0]?.balance ?? 0);
  }

  test('accrues what it has computed, and pays it once the day is over', async () => {
    const day = await lab.useDay([0, 1, 5]);
    await settleDue(lab.deps());
    expect(await lab.billsOf(day)).toEqual([]);
    const before = await Promise.all(lab.network.users.map(balanceOf));
    const accrued = await Promise.all(lab.network.users.map(accruedOf));
    expect(accrued.every((amount) => amount > 0n)).toBe(true);
    lab.endDay(day);
    await settleDue(lab.deps());
    const bills = await lab.billsOf(day);
    expect(bills.map(({ day: _, user_id: __, ...bill }) => bill).length).toBe(
      (await lab.sumsOf(day)).length,
    );
    const after = await Promise.all(lab.network.users.map(balanceOf));
    expect(after.map((amount, n) => amount - (before[n] ?? 0n))).toEqual(accrued);
    expect(await Promise.all(lab.network.users.map(accruedOf))).toEqual([0n, 0n, 0n]);
    expect((await verifySettlements(database)).problems).toEqual([]);
  });

  test('a bill for each user, reward type and device, whose sum is that of its lines', async () => {
    const day = await lab.useDay([3, 4, 22]);
    lab.endDay(day);
    await settleDue(lab.deps());
    const bills = await lab.billsOf(day);
    const keys = bills.map(({ reward_type, node_id }) => `${reward_type} ${node_id}`);
    expect(new Set(bills.map(({ day: name }) => name))).toEqual(
      new Set([day.toISOString().slice(0, 10)]),
    );
    expect(keys.length).toBeGreaterThan(5);
    const amounts = (rows: unknown[]): string[] =>
      (rows as { reward_type: string; node_id: string | null; amount: string }[])
        .map(({ reward_type, node_id, amount }) =>
          [reward_type, node_id, amount.replace('-', '')].join(),
        )
        .sort();
    expect(amounts(bills)).toEqual(amounts(await lab.sumsOf(day)));
  });

  test('the proof of a bill leads from it to each hour that it pays', async () => {
    const { rows } = await database.query<{ id: number; user_id: number }>(
      `select distinct on (reward_type) id * 2 as id, credit_wallet / 32 as user_id from transfer
        where reward_type in ('UPTIME', 'TRAFFIC', 'REFERRAL', 'BONUS')
          and idempotency_key like 'reward-day:%' order by reward_type, id desc`,
    );
    expect(rows).toHaveLength(4);
    for (const { id, user_id } of rows) {
      const proof = await buildProof({ db: database, key: proofKey }, user_id, id);
      const text = JSON.stringify(proof);
      const outcome = await verifyRewardProof(text, [proofKey.published]);
      expect(Object.values(outcome).every(Boolean)).toBe(true);
      if (!('lines' in proof)) throw new Error('the proof is of one line');
      expect(proof.lines.length).toBeGreaterThan(2);
      // Without one of its hours, or with one twice, the bill is of another amount.
      const broken = [proof.lines.slice(1), [...proof.lines.slice(1), proof.lines[1]]];
      for (const lines of broken) {
        const changed = await verifyRewardProof(JSON.stringify({ ...proof, lines }), [
          proofKey.published,
        ]);
        expect(changed).toMatchObject({ signed: false, billed: false, rooted: true });
      }
    }
    const [bill] = rows;
    await expect(
      buildProof({ db: database, key: proofKey }, (bill?.user_id ?? 0) + 100, bill?.id ?? 0),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  test('pays usage that came late with the next day', async () => {
    const day = await lab.useDay([2]);
    lab.endDay(day);
    await settleDue(lab.deps());
    const paid = await lab.billsOf(day);
    lab.clock.advance(HOUR_MS);
    const from = new Date(day.getTime() + 2 * HOUR_MS);
    const late = { reportId: 'late', nodeId: lab.network.devices[0]?.nodeId ?? '', bytesDown: 0n };
    await recordTraffic(database, { clock: lab.clock, window_s: 604_800 }, 'relay', [
      { ...late, bytesUp: 500_000_000n, from, to: new Date(from.getTime() + HOUR_MS) },
    ]);
    const next = await lab.useDay([1]);
    lab.endDay(next);
    await settleDue(lab.deps());
    expect((await lab.billsOf(day)).length).toBeGreaterThan(paid.length);
    for (const userId of lab.network.users) await checkEarningsIdentity(database, userId);
    expect((await verifySettlements(database)).problems).toEqual([]);
  });

  test('instances that race pay each day once', async () => {
    for (let n = 0; n < 3; n++) {
      const day = await lab.useDay([9, 10]);
      lab.endDay(day);
      await Promise.all([1, 2, 3].map(() => settleDue(lab.deps())));
      await settleDue(lab.deps());
      expect((await lab.billsOf(day)).length).toBe((await lab.sumsOf(day)).length);
    }
    for (const userId of lab.network.users) await checkEarningsIdentity(database, userId);
  });

  test('a period that is set meanwhile pays nothing twice, and leaves nothing out', async () => {
    const day = await lab.useDay([0, 1]);
    await settleDue(lab.deps());
    await lab.network.use(new Date(day.getTime() + 2 * HOUR_MS));
    // What waits is paid at once, and the next hours line by line.
    await settleDue(lab.deps(database, 'hour'));
    for (const userId of lab.network.users) expect(await accruedOf(userId)).toBe(0n);
    await lab.network.use(new Date(day.getTime() + 3 * HOUR_MS));
    await settleDue(lab.deps(database, 'hour'));
    await lab.network.use(new Date(day.getTime() + 20 * HOUR_MS));
    await settleDue(lab.deps());
    lab.endDay(day);
    await settleDue(lab.deps());
    const total = (rows: unknown[]): bigint =>
      (rows as { amount: string }[]).reduce(
        (sum, { amount }) => sum + BigInt(amount.replace('-', '')),
        0n,
      );
    expect(total(await lab.billsOf(day))).toBe(total(await lab.sumsOf(day)));
    expect((await verifySettlements(database)).problems).toEqual([]);
  });

  test('a check names a payment whose lines were changed', async () => {
    const change = transaction(database, async (tx) => {
      await tx.query(
        `update reward_line set amount = amount + 1 where (batch_id, leaf) = (
          select l.batch_id, l.leaf from reward_line l join reward_batch b on b.id = l.batch_id
          where b.payment_id is not null and l.status = 'paid' limit 1)`,
      );
      const { problems } = await verifySettlements(tx);
      expect(problems.join('\n')).toMatch(/reward_payment \d+ of user \d+ on 2026-05-\d\d/);
      throw new RangeError('rolled back');
    });
    await expect(change).rejects.toThrow('rolled back');
  });

  test('an instance of the version before cannot pay a waiting hour line by line', async () => {
    await lab.useDay([0]);
    await settleDue(lab.deps());
    await expect(
      database.query("update reward_batch set state = 'posting' where state = 'computed'"),
    ).rejects.toThrow('reward_batch_period_check');
  });
});
