import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queryAsOwner, RUN_ENGINES } from '../../test/support/databases.ts';
import { type MoneyServer, OPERATOR, openMoneyServer } from '../../test/support/money-server.ts';
import { asOperator } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { ensureWalletKind, isOverdrawn, verifyLedger } from '../ledger/index.ts';

describe.each(RUN_ENGINES)('kinds of wallets on %s', (engine) => {
  let money: MoneyServer;
  let beside: MoneyServer;
  let person: number;
  beforeAll(async () => {
    money = await openMoneyServer(engine);
    beside = await openMoneyServer(engine, money);
    person = await insertUser(money.database);
  });
  afterAll(async () => {
    await beside.close();
    await money.close();
  });

  const ask = (server: MoneyServer, url: string) => server.app.inject({ url, headers: OPERATOR });
  const put = (wallet: string, body: object, headers = OPERATOR) =>
    money.app.inject({
      method: 'PUT',
      url: `/operator/wallets/${wallet}`,
      headers: { ...headers, 'content-type': 'application/json' },
      payload: body,
    });
  const post = async (debit: object, credit: object, fields = {}) => {
    const item = {
      debit,
      credit,
      currency: 'USDT',
      amount: '5',
      business_id: 'adjustment',
      ...fields,
    };
    return (await beside.post('/operator/transfers', { transfers: [item] })).json().results[0];
  };

  test('are added, idempotently, and never change', async () => {
    expect((await put('savings', {})).json()).toEqual({ wallet: 'savings', house: false });
    expect((await put('savings', {})).statusCode).toBe(200);
    expect((await put('marketing', { house: true })).json()).toEqual({
      wallet: 'marketing',
      house: true,
    });
    expect((await put('savings', { house: true })).json()).toMatchObject({
      status: 409,
      code: 'wallet_exists',
    });
    for (const code of ['users', 'S', 'x', '9lives', 'a-b', 'x'.repeat(33)])
      expect((await put(code, {})).json()).toMatchObject({
        status: 400,
        errors: [{ field: 'wallet' }],
      });
    expect((await put('more', {}, asOperator('operator:ledger'))).statusCode).toBe(403);
    await expect(
      queryAsOwner(money.database, "update wallet_kind set code = 'gone' where code = 'savings'"),
    ).rejects.toThrow('never changes');
    await expect(
      queryAsOwner(money.database, "delete from wallet_kind where code = 'savings'"),
    ).rejects.toThrow('never changes');
    const kinds = (await ask(beside, '/operator/wallets')).json();
    expect(kinds.slice(0, 3)).toEqual(
      ['asset', 'bonus', 'savings'].map((wallet) => ({ wallet, house: false })),
    );
    expect(kinds.at(-1)).toEqual({ wallet: 'marketing', house: true });
  });

  test('are posted to, shown and verified by every process immediately', async () => {
    const savings = { user_id: person, wallet: 'savings' };
    const marketing = { house: 'marketing' };
    expect(await post(marketing, savings)).toMatchObject({ status: 'posted' });
    expect(
      await post(savings, { user_id: person, wallet: 'asset' }, { amount: '2' }),
    ).toMatchObject({ status: 'posted' });
    expect(await post(savings, marketing, { amount: '99' })).toMatchObject({
      code: 'insufficient_funds',
    });
    const statement = (
      await ask(
        beside,
        `/operator/statements?userId=${person}&wallet=savings&currency=USDT&current=1&size=20`,
      )
    ).json();
    expect(statement).toMatchObject({
      closing_balance: 3,
      total: 2,
      records: [{ counterparty: `user:${person}` }, { counterparty: 'marketing' }],
    });
    const house = (
      await ask(beside, '/operator/statements?house=marketing&currency=USDT&current=1&size=20')
    ).json();
    expect(house).toMatchObject({ closing_balance: -5, shards: 16 });
    expect((await ask(beside, '/operator/ledger/accounts')).json()).toContainEqual(
      expect.objectContaining({ account: 'marketing', currency: 'USDT', balance: -5 }),
    );
    const journal = (await ask(beside, '/operator/ledger/journal')).body;
    expect(journal).toContain(`Users:${person}:savings  5 USDT`);
    expect(journal).toContain(`Users:${person}:savings  0 USDT = 3 USDT`);
    expect(journal).toContain('House:marketing:');
    expect((await verifyLedger(beside.database)).findings).toEqual([]);
  });

  test('freeze what a debt freezes', async () => {
    const owner = await insertUser(money.database);
    const savings = { user_id: owner, wallet: 'savings' };
    await post({ house: 'marketing' }, savings);
    expect(await isOverdrawn(money.database, owner)).toBe(false);
    await post(savings, { house: 'marketing' }, { amount: '7', may_overdraw: true });
    expect(await isOverdrawn(money.database, owner)).toBe(true);
  });

  test('that do not exist are refused with the list of those that do', async () => {
    const mine = { user_id: person, wallet: 'asset' };
    const peoples = 'must be one of asset, bonus, savings';
    expect(
      await post({ house: 'adjustment' }, { user_id: person, wallet: 'pension' }),
    ).toMatchObject({
      code: 'invalid_parameter',
      detail: `credit.wallet ${peoples}`,
    });
    const wrongSide = await post({ house: 'savings' }, mine);
    expect(wrongSide.detail).toMatch(/^debit\.house must be one of reward_pool, .*, marketing$/);
    const statement = await ask(
      money,
      `/operator/statements?userId=${person}&wallet=pension&currency=USDT&current=1&size=20`,
    );
    expect(statement.json()).toMatchObject({
      status: 400,
      errors: [{ field: 'wallet', message: peoples }],
    });
  });

  test('end where their ids end', async () => {
    for (let n = 0; n < 28; n++) expect((await put(`kind_${n}`, {})).statusCode).toBe(200);
    expect((await put('one_too_many', {})).json()).toMatchObject({
      status: 409,
      code: 'wallet_limit',
    });
    expect((await put('house_still_grows', { house: true })).statusCode).toBe(200);
    expect(
      await post({ house: 'house_still_grows' }, { user_id: person, wallet: 'kind_27' }),
    ).toMatchObject({ status: 'posted' });
    expect((await verifyLedger(money.database)).findings).toEqual([]);
  });

  test('of the same name, added concurrently, are one', async () => {
    const added = await Promise.all(
      [money, beside, money, beside].map((server) =>
        ensureWalletKind(server.database, 'fund', { isHouse: true }),
      ),
    );
    expect(new Set(added.map((kind) => kind?.id)).size).toBe(1);
  });
});
