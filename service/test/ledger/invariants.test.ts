/**
 * The invariants of the ledger, by name, on one busy set of books. The fourteenth (kill -9) is in
 * processes.test.ts.
 */
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, transaction } from '../../src/db/index.ts';
import {
  type Bill,
  cancelHold,
  findHold,
  installLedger,
  type Posting,
  type PostResult,
  placeHold,
  postTransfers,
  readBalances,
  readBills,
  readEarningTotals,
  settleHold,
  verifyLedger,
} from '../../src/ledger/index.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import { exactAmount, stringifyExact } from '../../src/lib/exact-json.ts';
import { ENGINES, openTestDatabase } from '../support/databases.ts';
import { readEarnings } from '../support/read-earnings.ts';
import { reverseOne } from '../support/reverse-one.ts';
import { testMasterKey } from '../support/test-config.ts';
import { insertUser } from '../support/test-users.ts';

const POOL = { house: 'reward_pool' } as const;

describe.each(ENGINES)('invariants on %s', (engine) => {
  const clock = createManualClock('2026-11-10T00:00:00Z');
  let database: Database;
  let user: number;
  let other: number;
  let names = 0;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    installLedger(database, { clock, masterKey: testMasterKey });
    user = await insertUser(database);
    other = await insertUser(database);
    for (let i = 0; i < 300; i++)
      await postTransfers(database, [
        i % 4 === 0 ? spend(BigInt(i % 9) + 1n) : reward(BigInt(i + 1), i),
      ]);
  });
  afterAll(() => database.close());

  const name = (): string => `i${++names}`;
  const mine = () => ({ userId: user, wallet: 'bonus' }) as const;
  const post = async (posting: Posting): Promise<PostResult | undefined> =>
    (await postTransfers(database, [posting]))[0];
  function reward(amount: bigint, day = 0): Posting {
    const eventAt = new Date(Date.UTC(2026, 9, 1 + (day % 20)));
    const businessId = day % 3 === 0 ? 'referral_reward' : 'reward';
    return {
      idempotencyKey: name(),
      debit: POOL,
      credit: mine(),
      currency: 'EDGE',
      amount,
      businessId,
      rewardType: day % 2 ? 'UPTIME' : 'TASK',
      eventAt,
    };
  }
  function spend(amount: bigint): Posting {
    return {
      ...reward(amount),
      debit: mine(),
      credit: { house: 'package_sales' },
      businessId: 'package_purchase',
    };
  }
  const balance = async (userId = user) =>
    (await readBalances(database, userId, 'bonus'))[0] ?? { balance: 0n, hold: 0n };
  const state = async (): Promise<string> =>
    JSON.stringify(
      (await database.query('select * from account order by wallet_id, currency_id')).rows,
    );
  async function allBills(filter = {}): Promise<Bill[]> {
    const all: Bill[] = [];
    for (let current = 1; ; current++) {
      const { bills } = await readBills(database, mine(), filter, { current, size: 20 });
      if (bills.length === 0) return all;
      all.push(...bills);
    }
  }
  const hold = async (amount: bigint, life_s?: number): Promise<number> => {
    const result = await placeHold(database, {
      idempotencyKey: name(),
      account: mine(),
      currency: 'EDGE',
      amount,
      businessId: 'withdrawal',
      ...(life_s !== undefined && { life_s }),
    });
    if (result.status === 'refused') throw new Error(result.code);
    return result.hold.id;
  };
  const settle = (holdId: number, amount?: bigint) =>
    settleHold(database, {
      idempotencyKey: name(),
      holdId,
      credit: POOL,
      eventAt: clock.now(),
      ...(amount !== undefined && { amount }),
    });

  test('1. per currency credits minus debits over all accounts is 0, holds included', async () => {
    await hold(5n);
    const { rows } = await database.query<{ sum: string }>(
      'select sum(credits - debits) as sum from account group by currency_id',
    );
    expect(rows.every((row) => row.sum === '0')).toBe(true);
    const { rows: withHolds } = await database.query<{ sum: string }>(
      'select sum(credits - debits - held) + sum(held) as sum from account group by currency_id',
    );
    expect(withHolds.every((row) => row.sum === '0')).toBe(true);
  });

  test('2. balance = credits - debits - held; held = sum of the open holds', async () => {
    await hold(7n);
    const { rows } = await database.query<{ available: string; held: string; holds: string }>(
      `select credits - debits - held as available, held, (select sum(remaining) from hold h
        where h.wallet_id = a.wallet_id and state = 'open') as holds
       from account a where user_id = $1 and held > 0`,
      [user],
    );
    const now = await balance();
    expect(rows).toEqual([
      { available: String(now.balance), held: String(now.hold), holds: String(now.hold) },
    ]);
  });

  test('3. counters are never negative, balances only by may_overdraw', async () => {
    const poor = await insertUser(database);
    const take = { ...spend(1n), debit: { userId: poor, wallet: 'bonus' } as const };
    expect(await post(take)).toMatchObject({ code: 'insufficient_funds' });
    expect(
      await post({
        ...take,
        idempotencyKey: name(),
        businessId: 'deposit_reversal',
        mayOverdraw: true,
      }),
    ).toMatchObject({ code: 'counter_negative' });
    expect(await post({ ...take, idempotencyKey: name(), mayOverdraw: true })).toMatchObject({
      status: 'posted',
    });
    expect((await balance(poor)).balance).toBe(-1n);
    await expect(
      database.query(
        'update account set debits = credits + 1, overdrawn = false where user_id = $1',
        [user],
      ),
    ).rejects.toThrow('account_available_check');
    await expect(
      database.query('update account set deposited = -1 where user_id = $1', [user]),
    ).rejects.toThrow('account_counters_check');
  });

  test('4. a rejected operation leaves every balance identical', async () => {
    const holdId = await hold(3n);
    await settle(holdId);
    const before = await state();
    await post(spend(10n ** 20n));
    await post({ ...reward(1n), currency: 'NONE' });
    await post({ ...reward(1n), businessId: 'none' });
    await post({ ...reward(0n) });
    await post({ ...reward(10n ** 78n) });
    await post({ ...reward(1n), credit: POOL });
    await post({ ...reward(1n), credit: { userId: 123_456_789, wallet: 'bonus' } });
    await postTransfers(database, [reward(1n), spend(10n ** 20n)], { atomic: true });
    await settle(holdId);
    await cancelHold(database, { idempotencyKey: name(), holdId });
    await reverseOne(database, { idempotencyKey: name(), transferId: 999_999_999 });
    await transaction(database, async (tx) => {
      await postTransfers(tx, [reward(1n)]);
      throw new Error('the caller changed its mind');
    }).catch(() => {});
    expect(await state()).toBe(before);
  });

  test('5. same request replays, another body conflicts, a refusal stays', async () => {
    const posting = reward(9n);
    const first = await post(posting);
    const before = await state();
    expect(await post(posting)).toEqual({ ...first, status: 'replayed' });
    expect(await post({ ...posting, amount: 10n })).toEqual({
      status: 'refused',
      code: 'idempotency_key_reused',
    });
    expect(await state()).toBe(before);
    const refused = spend((await balance()).balance + 1n);
    expect(await post(refused)).toEqual({ status: 'refused', code: 'insufficient_funds' });
    await post(reward(1000n));
    expect(await post(refused)).toEqual({ status: 'refused', code: 'insufficient_funds' });
  });

  test('6. a hold resolves once, for at most what remains, before it expires', async () => {
    const once = await hold(10n);
    const results = await Promise.all([
      settle(once),
      settle(once),
      cancelHold(database, { idempotencyKey: name(), holdId: once }),
    ]);
    expect(results.filter((result) => result.status === 'done').length).toBe(1);
    const part = await hold(10n);
    await settle(part, 4n);
    expect(await settle(part, 7n)).toEqual({ status: 'refused', code: 'hold_too_small' });
    const late = await hold(10n, 1);
    clock.advance(1000);
    expect(await settle(late)).toEqual({ status: 'refused', code: 'hold_expired' });
    expect((await findHold(database, late))?.state).toBe('open');
  });

  test('7. per account seq is dense 1..n and balance_after is the running sum', async () => {
    await Promise.all(Array.from({ length: 30 }, () => post(reward(2n))));
    const { rows } = await database.query<{ wrong: number }>(
      `select count(*) filter (where seq <> place or balance_after <> running) as wrong from (
         select seq, balance_after, row_number() over account as place, sum(case direction when 1
           then amount else -amount end) over account as running
         from entry window account as (partition by wallet_id, currency_id order by position)) e`,
    );
    expect(rows[0]?.wrong).toBe(0);
  });

  test('8. two reversals of one transfer at once: one wins', async () => {
    const done = await post(reward(11n));
    const transferId = done?.status === 'posted' ? done.transferId : 0;
    const results = await Promise.all(
      [0, 1].map(() => reverseOne(database, { idempotencyKey: name(), transferId })),
    );
    expect(
      results.map((result) => ('code' in result ? result.code : result.status)).sort(),
    ).toEqual(['already_reversed', 'posted']);
  });

  test('9. an atomic batch is all or nothing; N batches of 1 equal one of N', async () => {
    const [one, many] = [await insertUser(database), await insertUser(database)];
    const to = (userId: number, n: number): Posting => {
      const person = { userId, wallet: 'bonus' } as const;
      return n % 3 === 2
        ? { ...spend(BigInt(n)), debit: person }
        : { ...reward(BigInt(n % 5) + 1n), credit: person };
    };
    const answers = async (results: readonly PostResult[]) =>
      results.map((result) => ('code' in result ? result.code : result.status));
    const together = await answers(
      await postTransfers(
        database,
        Array.from({ length: 40 }, (_, n) => to(many, n + 1)),
      ),
    );
    const alone: string[] = [];
    for (let n = 1; n <= 40; n++)
      alone.push(...(await answers(await postTransfers(database, [to(one, n)]))));
    expect(alone).toEqual(together);
    expect(together).toContain('insufficient_funds');
    const books = async (userId: number) =>
      (
        await database.query(
          `select position, seq, direction, amount, balance_after from entry where wallet_id = $1
            order by position`,
          [userId * 32 + 2],
        )
      ).rows;
    expect(await books(one)).toEqual(await books(many));
  });

  test('10. replaying all entries reproduces every stored balance and roll-up', async () => {
    expect((await verifyLedger(database)).findings).toEqual([]);
  });

  test('11. listing under concurrent writes shows no gap and no duplicate', async () => {
    const before = (await allBills()).length;
    let isDone = false;
    const writers = Promise.all(Array.from({ length: 60 }, () => post(reward(1n)))).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      // The embedded database answers within one turn of the event loop, so that the writers cannot
      // run.
      await setImmediate();
      const { bills, total } = await readBills(database, mine(), {}, { current: 1, size: 20 });
      expect(total).toBeGreaterThanOrEqual(before);
      const seqs = bills.map((bill) => bill.balanceAfter);
      for (let i = 1; i < bills.length; i++) {
        const newer = bills[i - 1];
        const change = newer?.direction === 1 ? newer.amount : -(newer?.amount ?? 0n);
        expect(seqs[i]).toBe((newer?.balanceAfter ?? 0n) - change);
      }
    }
    await writers;
    const ids = (await allBills()).map((bill) => bill.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(before + 60);
  });

  test('12. balance + hold = sum of bills; earnings agree by total, bill, day', async () => {
    const signed = (bills: readonly Bill[]): bigint =>
      bills.reduce((sum, bill) => sum + (bill.direction === 1 ? bill.amount : -bill.amount), 0n);
    const bills = (await allBills()).filter((bill) => bill.currency === 'EDGE');
    const now = await balance();
    expect(signed(bills)).toBe(now.balance + now.hold);
    expect(bills[0]?.balanceAfter).toBe(now.balance + now.hold);
    const earned = signed([
      ...(await allBills({ businessId: 'reward' })),
      ...(await allBills({ businessId: 'referral_reward' })),
    ]);
    const sum = (rows: readonly { amount: bigint }[]): bigint =>
      rows.reduce((total, row) => total + row.amount, 0n);
    expect(sum(await readEarnings(database, user))).toBe(earned);
    expect(sum(await readEarningTotals(database, user))).toBe(earned);
  });

  test('13. amounts above 2^53 and 18 decimals are exact in the answer', async () => {
    await post({ ...reward(10n ** 39n + 1n), credit: { userId: other, wallet: 'bonus' } });
    const [row] = (
      await readBills(database, { userId: other, wallet: 'bonus' }, {}, { current: 1, size: 1 })
    ).bills;
    const { rows } = await database.query<{ text: string }>(
      'select (balance_after * 0.000000000000000001)::text as text from entry where wallet_id = $1',
      [other * 32 + 2],
    );
    const amount = exactAmount(row?.balanceAfter ?? 0n, row?.scale ?? 0);
    expect(stringifyExact({ amount })).toBe(`{"amount":${rows[0]?.text}}`);
    expect(stringifyExact({ amount }, true)).toBe(`{"amount":"${rows[0]?.text}"}`);
  });
});
