import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { readEarnings } from '../../test/support/read-earnings.ts';
import { reverseOne } from '../../test/support/reverse-one.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { insertUser } from '../../test/support/test-users.ts';
import type { Database } from '../db/index.ts';
import { createManualClock } from '../lib/clock.ts';
import {
  cancelHold,
  expireHolds,
  findHold,
  type HoldResult,
  installLedger,
  isOverdrawn,
  placeHold,
  postTransfers,
  readBalances,
  readBills,
  settleHold,
} from './index.ts';

describe.each(ENGINES)('holds and reversals on %s', (engine) => {
  const clock = createManualClock('2026-11-10T00:00:00Z');
  let database: Database;
  let user: number;
  let count = 0;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    installLedger(database, { clock, masterKey: testMasterKey });
  });
  afterAll(() => database.close());

  const idempotencyKey = (): string => `op-${++count}`;
  const give = (amount: bigint) =>
    postTransfers(database, [
      {
        idempotencyKey: idempotencyKey(),
        debit: { house: 'deposit_clearing' },
        credit: { userId: user, wallet: 'asset' },
        currency: 'USDT',
        amount,
        businessId: 'deposit',
        eventAt: clock.now(),
      },
    ]);
  const hold = (amount: bigint, life_s?: number) =>
    placeHold(database, {
      idempotencyKey: idempotencyKey(),
      account: { userId: user, wallet: 'asset' },
      currency: 'USDT',
      amount,
      businessId: 'withdrawal',
      ...(life_s !== undefined && { life_s }),
    });
  const settle = (holdId: number, amount?: bigint, releaseRest = false) =>
    settleHold(database, {
      idempotencyKey: idempotencyKey(),
      holdId,
      credit: { house: 'withdrawal_clearing' },
      eventAt: clock.now(),
      releaseRest,
      ...(amount !== undefined && { amount }),
    });
  const idOf = (result: HoldResult): number => {
    if (result.status === 'refused') throw new Error(result.code);
    return result.hold.id;
  };
  const balance = async () => {
    const row = (await readBalances(database, user, 'asset')).find(
      (candidate) => candidate.currency === 'USDT',
    );
    return [row?.balance, row?.hold, row?.withdrawal];
  };
  const fresh = async (amount: bigint): Promise<void> => {
    user = await insertUser(database);
    await give(amount);
  };

  test('a hold reduces the balance, writes no bill, and is settled in parts', async () => {
    await fresh(100n);
    const id = idOf(await hold(60n));
    expect(await balance()).toEqual([40n, 60n, 0n]);
    expect(await settle(id, 25n)).toMatchObject({
      status: 'done',
      hold: { state: 'open', remaining: 35n },
    });
    expect(await balance()).toEqual([40n, 35n, 25n]);
    expect(await settle(id, 36n)).toEqual({ status: 'refused', code: 'hold_too_small' });
    expect(await settle(id)).toMatchObject({ hold: { state: 'settled', remaining: 0n } });
    expect(await balance()).toEqual([40n, 0n, 60n]);
    expect(await settle(id)).toEqual({ status: 'refused', code: 'hold_not_open' });
    expect(
      (
        await readBills(database, { userId: user, wallet: 'asset' }, {}, { current: 1, size: 20 })
      ).bills.map((bill) => [bill.businessId, bill.amount]),
    ).toEqual([
      ['withdrawal', 35n],
      ['withdrawal', 25n],
      ['deposit', 100n],
    ]);
  });

  test('a part may be settled and the rest released at the same time', async () => {
    await fresh(100n);
    const id = idOf(await hold(60n));
    expect(await settle(id, 10n, true)).toMatchObject({
      hold: { state: 'cancelled', remaining: 0n },
    });
    expect(await balance()).toEqual([90n, 0n, 10n]);
  });

  test('the key of a release is one that no caller can use', async () => {
    await fresh(100n);
    const [first, second] = [idOf(await hold(20n)), idOf(await hold(20n))];
    const order = (key: string, holdId: number) => ({
      idempotencyKey: `settle:c:${key}`,
      holdId,
      credit: { house: 'withdrawal_clearing' } as const,
      eventAt: clock.now(),
    });
    expect(await settleHold(database, order('k:rest', first))).toMatchObject({ status: 'done' });
    expect(
      await settleHold(database, { ...order('k', second), amount: 4n, releaseRest: true }),
    ).toMatchObject({ hold: { state: 'cancelled', settled: 4n } });
    expect(
      await settleHold(database, { ...order('k', second), amount: 4n, releaseRest: true }),
    ).toMatchObject({ status: 'replayed' });
  });

  test('more than is available cannot be held, and the refusal is stored', async () => {
    await fresh(10n);
    const order = {
      idempotencyKey: idempotencyKey(),
      account: { userId: user, wallet: 'asset' as const },
      currency: 'USDT',
      amount: 11n,
      businessId: 'withdrawal',
    };
    expect(await placeHold(database, order)).toEqual({
      status: 'refused',
      code: 'insufficient_funds',
    });
    await give(100n);
    expect(await placeHold(database, order)).toEqual({
      status: 'refused',
      code: 'insufficient_funds',
    });
    expect(await placeHold(database, { ...order, amount: 12n })).toEqual({
      status: 'refused',
      code: 'idempotency_key_reused',
    });
    expect(await balance()).toEqual([110n, 0n, 0n]);
  });

  test('settling, cancelling and expiring at the same time: one succeeds', async () => {
    await fresh(100n);
    const id = idOf(await hold(60n));
    const results = await Promise.all([
      settle(id),
      cancelHold(database, { idempotencyKey: idempotencyKey(), holdId: id }),
      settle(id),
      settle(id, 60n),
    ]);
    expect(results.filter((result) => result.status === 'done').length).toBe(1);
    expect(
      results
        .filter((result) => result.status === 'refused')
        .map((result) => 'code' in result && result.code),
    ).toEqual(Array.from({ length: 3 }, () => 'hold_not_open'));
  });

  test('an expired hold is released, and cannot be settled afterwards', async () => {
    await fresh(100n);
    const id = idOf(await hold(60n, 1));
    clock.advance(1000);
    expect(await settle(id)).toEqual({ status: 'refused', code: 'hold_expired' });
    expect(await cancelHold(database, { idempotencyKey: idempotencyKey(), holdId: id })).toEqual({
      status: 'refused',
      code: 'hold_expired',
    });
    expect(await expireHolds(database)).toBe(1);
    expect(await expireHolds(database)).toBe(0);
    expect((await findHold(database, id))?.state).toBe('expired');
    expect(await balance()).toEqual([100n, 0n, 0n]);
  });

  test('a reversal may overdraw a spent balance and freezes; paying back thaws', async () => {
    await fresh(100n);
    const [deposit] = await give(50n);
    await hold(140n);
    const transferId = deposit?.status === 'posted' ? deposit.transferId : 0;
    expect(await isOverdrawn(database, user)).toBe(false);
    expect(
      await reverseOne(database, { idempotencyKey: idempotencyKey(), transferId }),
    ).toMatchObject({ status: 'posted' });
    expect(await balance()).toEqual([-40n, 140n, 0n]);
    expect(await isOverdrawn(database, user)).toBe(true);
    expect(await hold(1n)).toMatchObject({ code: 'insufficient_funds' });
    await give(40n);
    expect(await isOverdrawn(database, user)).toBe(false);
  });

  test('two concurrent reversals of one transfer: one succeeds; none is reversed', async () => {
    await fresh(100n);
    const [reward] = await postTransfers(database, [
      {
        idempotencyKey: idempotencyKey(),
        debit: { house: 'reward_pool' },
        credit: { userId: user, wallet: 'bonus' },
        currency: 'EDGE',
        amount: 9n,
        businessId: 'reward',
        rewardType: 'TASK',
        eventAt: new Date('2026-11-02T05:00:00Z'),
      },
    ]);
    const transferId = reward?.status === 'posted' ? reward.transferId : 0;
    const results = await Promise.all(
      [1, 2, 3].map(() => reverseOne(database, { idempotencyKey: idempotencyKey(), transferId })),
    );
    expect(
      results.map((result) => ('code' in result ? result.code : result.status)).sort(),
    ).toEqual(['already_reversed', 'already_reversed', 'posted']);
    const posted = results.find((result) => result.status === 'posted');
    expect(
      await reverseOne(database, {
        idempotencyKey: idempotencyKey(),
        transferId: posted?.status === 'posted' ? posted.transferId : 0,
      }),
    ).toEqual({
      status: 'refused',
      code: 'not_reversible',
    });
    expect((await readEarnings(database, user)).map((row) => [row.day, row.amount])).toEqual([
      ['2026-11-02', 0n],
    ]);
  });
});
