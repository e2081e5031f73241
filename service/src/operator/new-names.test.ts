/**
 * Two processes on one database: names that one of them adds are known to the other with the first
 * row that uses them.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { type MoneyServer, OPERATOR, openMoneyServer } from '../../test/support/money-server.ts';
import { asPerson } from '../../test/support/test-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import {
  cancelHold,
  ensureBusiness,
  ensureCurrency,
  expireHolds,
  findHold,
  placeHold,
  postTransfers,
  verifyLedger,
} from '../ledger/index.ts';

describe.each(RUN_ENGINES)('names that another process added, on %s', (engine) => {
  let here: MoneyServer;
  let there: MoneyServer;
  let person: number;
  let count = 0;
  beforeAll(async () => {
    here = await openMoneyServer(engine);
    there = await openMoneyServer(engine, here);
  });
  afterAll(async () => {
    await there.close();
    await here.close();
  });

  /**
   * A currency and a transaction type that only `there` knows, and a transfer of them to a new
   * user.
   */
  async function addThere(): Promise<{ currency: string; business: string; transferId: number }> {
    // All earlier names are known here.
    await here.get('/account/bills?current=1&size=1&currency=EDGE&businessId=reward');
    const [currency, business] = [`NEW${++count}`, `gift_${count}`];
    await ensureCurrency(there.database, currency, 8);
    await ensureBusiness(there.database, business, { isEarning: false });
    person = await insertUser(there.database);
    const transfer = {
      debit: { house: 'adjustment' },
      credit: { user_id: person, wallet: 'asset' },
      currency,
      amount: '10',
      business_id: business,
    };
    const { results } = (await there.post('/operator/transfers', { transfers: [transfer] })).json();
    expect(results[0].status).toBe('posted');
    return { currency, business, transferId: results[0].id };
  }
  const askHere = (url: string) => here.app.inject({ url, headers: OPERATOR });
  const askAsPerson = (url: string) =>
    here.app.inject({ url, headers: asPerson(person, 'account:read') });

  test('are in bills, their export and statements', async () => {
    const { currency, business } = await addThere();
    const bill = { currency, business_id: business, amount: 10 };
    expect((await askAsPerson('/account/bills?current=1&size=20')).json().records).toMatchObject([
      bill,
    ]);
    await addThere();
    expect((await askAsPerson('/account/bills/export')).json()).toHaveLength(1);
    const third = await addThere();
    const statement = await askHere(
      `/operator/statements?userId=${person}&wallet=asset&currency=${third.currency}&current=1&size=20`,
    );
    expect(statement.json()).toMatchObject({
      closing_balance: 10,
      records: [{ business_id: third.business }],
    });
    const fourth = await addThere();
    const house = await askHere(
      `/operator/statements?house=adjustment&currency=${fourth.currency}&current=1&size=20`,
    );
    expect(house.json()).toMatchObject({
      closing_balance: -10,
      records: [{ business_id: fourth.business }],
    });
    const fifth = await addThere();
    // The shard follows from the id of the transfer.
    const shard = (fifth.transferId - 1) % 16;
    const ofShard = await askHere(
      `/operator/statements?house=adjustment&shard=${shard}&currency=EDGE&current=1&size=20`,
    );
    expect(ofShard.statusCode).toBe(200);
  });

  test('are accepted as filters immediately', async () => {
    const { business } = await addThere();
    expect(
      (await askAsPerson(`/account/bills?current=1&size=20&businessId=${business}`)).json().total,
    ).toBe(1);
    const { currency } = await addThere();
    expect(
      (await askAsPerson(`/account/bills?current=1&size=20&currency=${currency}`)).json().total,
    ).toBe(1);
  });

  test('are reversed', async () => {
    const { transferId } = await addThere();
    expect((await here.post(`/operator/transfers/${transferId}/reverse`, {})).json()).toMatchObject(
      { reverses: transferId },
    );
  });

  const withdraw = async (fields = {}): Promise<number> => {
    const { currency } = await addThere();
    const held = await there.post('/operator/withdrawals', {
      user_id: person,
      currency,
      amount: '4',
      ...fields,
    });
    expect(held.statusCode).toBe(200);
    return held.json().id;
  };

  test('are in withdrawals, which are settled and cancelled', async () => {
    expect((await askHere(`/operator/withdrawals/${await withdraw()}`)).json()).toMatchObject({
      status: 'held',
      amount: 4,
    });
    await withdraw();
    expect((await askHere(`/operator/withdrawals?userId=${person}`)).json()).toHaveLength(1);
    expect(
      (await here.post(`/operator/withdrawals/${await withdraw()}/settle`, {})).json(),
    ).toMatchObject({ status: 'settled' });
    expect(
      (await here.post(`/operator/withdrawals/${await withdraw()}/cancel`, {})).json(),
    ).toMatchObject({ status: 'cancelled' });
  });

  test('are in holds for them, settled here', async () => {
    const { currency, business } = await addThere();
    const order = {
      idempotencyKey: `hold-${count}`,
      account: { userId: person, wallet: 'asset' },
      currency,
      amount: 1n,
      businessId: business,
    } as const;
    const held = await placeHold(there.database, order);
    if (held.status === 'refused') throw new Error(held.code);
    expect(
      await cancelHold(here.database, { idempotencyKey: `cancel-${count}`, holdId: held.hold.id }),
    ).toMatchObject({ status: 'done' });
  });

  test('are posted, although this process has not used them before', async () => {
    const { currency, business } = await addThere();
    const [result] = await postTransfers(here.database, [
      {
        idempotencyKey: `posted-${count}`,
        debit: { house: 'adjustment' },
        credit: { userId: person, wallet: 'asset' },
        currency,
        amount: 1n,
        businessId: business,
        eventAt: here.clock.now(),
      },
    ]);
    expect(result).toMatchObject({ status: 'posted' });
  });

  test('are released by the job, and a failing one does not block the others', async () => {
    const broken = await withdraw({ expires_in_s: 5 });
    const good = [await withdraw({ expires_in_s: 10 }), await withdraw({ expires_in_s: 10 })];
    here.clock.advance(10_000);
    // A transaction type that no process can know.
    await here.database.query('update hold set business_id = 999 where id = $1', [broken]);
    const message = await expireHolds(here.database).catch((error: Error) => error.message);
    expect(message).toBe('1 holds were not released');
    for (const id of good) expect((await findHold(here.database, id))?.state).toBe('expired');
    await here.database.query(
      `update hold set business_id = (select id from transaction_type where code = 'withdrawal')
        where id = $1`,
      [broken],
    );
    expect(await expireHolds(here.database)).toBe(1);
    expect((await verifyLedger(here.database)).findings).toEqual([]);
  });
});
