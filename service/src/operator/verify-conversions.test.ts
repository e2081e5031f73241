import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { type MoneyServer, openMoneyServer } from '../../test/support/money-server.ts';
import { asPerson } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { type Transaction, transaction } from '../db/index.ts';
import { verifyConversions } from './verify-conversions.ts';

describe.each(RUN_ENGINES)('verifying conversions on %s', (engine) => {
  let money: MoneyServer;

  beforeAll(async () => {
    money = await openMoneyServer(engine);
    await money.post('/operator/rewards', money.reward({ amount: '10' }));
    await insertUser(money.database);
    const price = { currency: 'EDGE', quote_currency: 'USDT', price: '0.1234567' };
    await money.post('/operator/prices', price);
    const asMe = () => ({
      ...asPerson(money.user, 'account:read', 'wallet:write'),
      'idempotency-key': money.key(),
    });
    const quote = async (amount: string): Promise<string> => {
      const order = { currency: 'EDGE', amount, to_currency: 'USDT' };
      const answer = await money.post('/bonus-account/convert/quote', order, asMe());
      return answer.json().quote_id;
    };
    for (const amount of ['1', '2.000000000000000001'])
      await money.post('/bonus-account/convert', { quote_id: await quote(amount) }, asMe());
    await quote('3');
  });
  afterAll(() => money.close());

  const findAfter = async (tamper: (tx: Transaction) => Promise<unknown>): Promise<string[]> => {
    let found: readonly string[] = [];
    const undone = transaction(money.database, async (tx) => {
      await tamper(tx);
      found = (await verifyConversions(tx)).problems;
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    return [...found];
  };

  test('conversions agree with their transfers', async () => {
    expect(await verifyConversions(money.database)).toEqual({ conversions: 2, problems: [] });
  });

  const CHANGES = [
    "id = id || 'x'",
    'user_id = (select max(id) from app_user)',
    'currency_id = 3',
    'to_currency_id = 3',
    'amount = amount + 1',
    'to_amount = to_amount + 1',
    'price = price + 1e-30',
    "priced_at = priced_at - interval '1 microsecond'",
    "source = 'feed:other'",
    "created_at = created_at - interval '1 microsecond'",
    "expires_at = expires_at + interval '1 microsecond'",
    "converted_at = converted_at + interval '1 microsecond'",
    "idempotency_key = idempotency_key || 'x'",
  ];

  test('each column of a conversion is changed below', async () => {
    const { rows } = await money.database.query<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_schema = 'public' and table_name = 'conversion' order by ordinal_position`,
    );
    expect(CHANGES.map((set) => set.split(' ')[0])).toEqual(rows.map(({ name }) => name));
  });

  test.each([
    ...CHANGES,
    'amount = amount * 2, to_amount = to_amount * 2',
    'to_amount = to_amount * 2, price = price * 2',
    'idempotency_key = null',
  ])('a changed row is found: %s', async (set) => {
    const found = await findAfter(async (tx) => {
      const changed = await tx.query(
        `update conversion set ${set}
         where id = (select min(id) from conversion where converted_at is not null)`,
      );
      expect(changed.rowCount).toBe(1);
    });
    expect(found[0]).toMatch(
      /^conversion .*: (does not (agree with transfer|follow from)|the transfer out is missing)/,
    );
  });

  test('a quote whose amount was raised before it is accepted is found', async () => {
    const found = await findAfter((tx) =>
      tx.query('update conversion set to_amount = to_amount * 2 where converted_at is null'),
    );
    expect(found).toEqual([expect.stringContaining('does not follow from its price')]);
  });

  test('a deleted conversion, or one reset to a quote, leaves two transfers', async () => {
    const taken = 'where id = (select min(id) from conversion where converted_at is not null)';
    for (const sql of [
      `delete from conversion ${taken}`,
      `update conversion set converted_at = null ${taken}`,
    ]) {
      const found = await findAfter((tx) => tx.query(sql));
      expect(found).toHaveLength(2);
      for (const line of found) expect(line).toMatch(/^transfer \d+: its conversion is missing$/);
    }
  });

  test('a conversion without its transfers is found', async () => {
    const found = await findAfter((tx) =>
      tx.query('update conversion set converted_at = now() where converted_at is null'),
    );
    expect(found).toEqual([
      expect.stringContaining('the transfer out is missing'),
      expect.stringContaining('the transfer in is missing'),
    ]);
  });
});
