import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { type Database, type Db, transaction } from '../db/index.ts';
import type { MoneyLeft } from './close-accounts.ts';
import {
  cancelHold,
  closeAccountsOf,
  ensureCurrency,
  ensureWalletKind,
  lockAccountsOf,
  type Posting,
  placeHold,
  postTransfers,
  readBalances,
  reverseTransfers,
  settleHold,
  verifyLedger,
} from './index.ts';

class NotEmpty extends Error {}

/** In the order in which closing a user's account does it. */
function close(db: Db, userId: number): Promise<MoneyLeft[]> {
  return transaction(db, async (tx) => {
    await lockAccountsOf(tx, userId);
    await tx.query(
      "update app_user set status = 'closed', email_key = 'closed-' || id where id = $1",
      [userId],
    );
    return closeAccountsOf(tx, userId);
  });
}

describe.each(ENGINES)('closed accounts on %s', (engine) => {
  let database: Database;
  let person: number;
  let count = 0;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    await ensureCurrency(database, 'LTX', 8);
    await ensureWalletKind(database, 'savings', { isHouse: false });
  });
  afterAll(() => database.close());

  const idempotencyKey = (): string => `closing-${++count}`;
  const give = (userId: number, fields: Partial<Posting> = {}): Posting => ({
    idempotencyKey: idempotencyKey(),
    debit: { house: 'adjustment' },
    credit: { userId, wallet: 'asset' },
    currency: 'USDT',
    amount: 10n,
    businessId: 'adjustment',
    eventAt: new Date(),
    ...fields,
  });
  const take = (userId: number, fields: Partial<Posting> = {}): Posting =>
    give(userId, {
      debit: { userId, wallet: 'asset' },
      credit: { house: 'adjustment' },
      amount: 1n,
      ...fields,
    });
  const post = async (posting: Posting): Promise<string> => {
    const [result] = await postTransfers(database, [posting]);
    return result?.status === 'refused' ? result.code : (result?.status ?? 'nothing');
  };
  const hold = (amount: bigint) =>
    placeHold(database, {
      idempotencyKey: idempotencyKey(),
      account: { userId: person, wallet: 'asset' },
      currency: 'USDT',
      amount,
      businessId: 'withdrawal',
    });
  const closeIfEmpty = (userId: number, givesUp: boolean) =>
    transaction(database, async (tx) => {
      const left = await close(tx, userId);
      if (left.length > 0 && !givesUp) throw new NotEmpty();
      return left;
    });

  test('accept no posting, in any wallet and currency', async () => {
    person = await insertUser(database);
    await postTransfers(database, [
      give(person),
      give(person, { credit: { userId: person, wallet: 'savings' }, currency: 'EDGE' }),
    ]);
    expect(await closeIfEmpty(person, true)).toEqual([
      { wallet: 'asset', currency: 'USDT', isOwed: false },
      { wallet: 'savings', currency: 'EDGE', isOwed: false },
    ]);
    expect(await post(give(person))).toBe('account_closed');
    expect(await post(take(person))).toBe('account_closed');
    expect(await post(give(person, { currency: 'LTX' }))).toBe('account_closed');
    expect(await post(give(person, { credit: { userId: person, wallet: 'bonus' } }))).toBe(
      'account_closed',
    );
    expect(await hold(1n)).toEqual({ status: 'refused', code: 'account_closed' });
    const other = await insertUser(database);
    const results = await postTransfers(database, [give(other), give(person), give(other)]);
    expect(results.map((result) => result.status)).toEqual(['posted', 'refused', 'posted']);
    expect((await verifyLedger(database)).findings).toEqual([]);
  });

  test('still accept corrections, and holds are settled or released', async () => {
    person = await insertUser(database);
    const [gift] = await postTransfers(database, [give(person)]);
    const held = [await hold(4n), await hold(4n)].map((result) =>
      result.status === 'refused' ? 0 : result.hold.id,
    );
    await closeIfEmpty(person, true);
    const settled = {
      idempotencyKey: idempotencyKey(),
      holdId: held[0] ?? 0,
      credit: { house: 'withdrawal_clearing' },
      eventAt: new Date(),
    };
    expect(await settleHold(database, settled)).toMatchObject({ status: 'done' });
    expect(
      await cancelHold(database, { idempotencyKey: idempotencyKey(), holdId: held[1] ?? 0 }),
    ).toMatchObject({ status: 'done' });
    expect(await post(take(person, { mayOverdraw: true }))).toBe('posted');
    expect(await post(give(person, { mayOverdraw: true }))).toBe('account_closed');
    expect(await post(give(person, { isCorrection: true }))).toBe('posted');
    const transferId = gift?.status === 'posted' ? gift.transferId : 0;
    expect(
      await reverseTransfers(database, [{ idempotencyKey: idempotencyKey(), transferId }]),
    ).toMatchObject([{ status: 'posted' }]);
    expect(
      (await readBalances(database, person, 'asset')).find(({ currency }) => currency === 'USDT'),
    ).toMatchObject({ balance: 5n, hold: 0n });
  });

  test.each([true, false])(
    'during a posting: closed and empty, or open with its amount (accounts there before: %s)',
    async (isOpen) => {
      const currencies = ['USDT', 'EDGE', 'LTX'];
      for (let round = 0; round < 20; round++) {
        const userId = await insertUser(database);
        if (isOpen) await postTransfers(database, [give(userId), take(userId, { amount: 10n })]);
        const arriving = currencies.map((currency) => post(give(userId, { currency })));
        // Alternately before and after the closing.
        for (let turn = 0; turn < round % 5; turn++) await database.query('select 1');
        const isClosed = await closeIfEmpty(userId, false).then(
          () => true,
          (error: unknown) => {
            if (error instanceof NotEmpty) return false;
            throw error;
          },
        );
        const codes = await Promise.all(arriving);
        const balances = (await readBalances(database, userId, 'asset')).map(
          ({ balance }) => balance,
        );
        if (isClosed)
          expect({ codes, balances }).toEqual({
            codes: currencies.map(() => 'account_closed'),
            balances: balances.map(() => 0n),
          });
        else expect(codes).toContain('posted');
      }
      expect((await verifyLedger(database)).findings).toEqual([]);
    },
  );

  test('that disagree with the state of their user are found', async () => {
    person = await insertUser(database);
    await post(give(person));
    await database.query('update account set closed = true where user_id = $1 and seq > 0', [
      person,
    ]);
    expect((await verifyLedger(database)).findings).toMatchObject([{ check: 'balances' }]);
    await database.query('update account set closed = false where user_id = $1', [person]);
  });
});

describe('closing on a server', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase('server');
  });
  afterAll(() => database.close());

  const untilWaiting = async (): Promise<void> => {
    const waiting = `select from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock'`;
    while ((await database.query(waiting)).rowCount === 0);
  };

  test.each([true, false])(
    'waits for a posting that began before, and includes it (accounts there before: %s)',
    async (isOpen) => {
      const userId = await insertUser(database);
      const credit = { userId, wallet: 'asset' };
      const gift = {
        debit: { house: 'adjustment' },
        credit,
        currency: 'USDT',
        amount: 10n,
        businessId: 'adjustment',
        eventAt: new Date(),
      };
      if (isOpen)
        await postTransfers(database, [
          { ...gift, idempotencyKey: 'first', amount: 1n },
          { ...gift, idempotencyKey: 'back', debit: credit, credit: gift.debit, amount: 1n },
        ]);
      let closing: Promise<unknown> = Promise.resolve();
      await transaction(database, async (tx) => {
        await postTransfers(tx, [{ ...gift, idempotencyKey: `arrives ${isOpen}` }]);
        closing = close(database, userId);
        await untilWaiting();
      });
      expect(await closing).toEqual([{ wallet: 'asset', currency: 'USDT', isOwed: false }]);
    },
  );

  test.each([true, false])(
    'delays postings that arrive meanwhile, and refuses them (accounts there before: %s)',
    async (isOpen) => {
      const userId = await insertUser(database);
      const gift = {
        debit: { house: 'adjustment' },
        credit: { userId, wallet: 'asset' },
        currency: 'USDT',
        amount: 10n,
        businessId: 'adjustment',
        eventAt: new Date(),
      };
      if (isOpen) await postTransfers(database, [{ ...gift, idempotencyKey: 'given' }]);
      let arriving: Promise<unknown> = Promise.resolve();
      await transaction(database, async (tx) => {
        await close(tx, userId);
        arriving = postTransfers(database, [{ ...gift, idempotencyKey: `late ${isOpen}` }]);
        await untilWaiting();
      });
      expect(await arriving).toEqual([{ status: 'refused', code: 'account_closed' }]);
    },
  );
});
