import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { type MoneyServer, OPERATOR, openMoneyServer } from '../../test/support/money-server.ts';
import { postTransfers } from '../ledger/index.ts';

describe.each(RUN_ENGINES)('GET /operator/transfers/{id} on %s', (engine) => {
  let money: MoneyServer;
  beforeAll(async () => {
    money = await openMoneyServer(engine);
  });
  afterAll(() => money.close());

  const read = async (id: unknown) =>
    (
      await money.app.inject({
        url: `/operator/transfers/${id}`,
        headers: { ...OPERATOR, prefer: 'amounts=string' },
      })
    ).json();

  test('shows both sides, and what was undone by what', async () => {
    const paid = await money.post('/operator/rewards', money.reward({ remark: 'twice' }));
    const { id } = paid.json<{ id: number }>();
    const shown = {
      id,
      debit: { house: 'reward_pool' },
      credit: { user_id: money.user, wallet: 'bonus' },
      currency: 'EDGE',
      amount: '1.5',
      business_id: 'reward',
      reward_type: 'UPTIME',
      remark: 'twice',
    };
    expect(await read(id)).toMatchObject({ ...shown, reversal: 'possible' });
    const undone = await money.post(`/operator/transfers/${id}/reverse`, { remark: 'paid twice' });
    const by = undone.json<{ id: number }>().id;
    expect(await read(id)).toMatchObject({ ...shown, reversal: 'done', reversed_by: by });
    expect(await read(by)).toMatchObject({
      debit: shown.credit,
      credit: shown.debit,
      remark: 'paid twice',
      reverses: id,
      reversal: 'is_reversal',
    });
  });

  test.each([
    ['purchase:x', 'purchase'],
    ['deposit/7', 'deposit'],
    ['payout/7', 'payout'],
  ])('a transfer %s belongs to its record', async (idempotencyKey, reversal) => {
    const [posted] = await postTransfers(money.database, [
      {
        idempotencyKey,
        debit: { house: 'adjustment' },
        credit: { userId: money.user, wallet: 'asset' },
        currency: 'USDT',
        amount: 5n,
        businessId: 'adjustment',
        eventAt: money.clock.now(),
      },
    ]);
    const id = posted?.status === 'posted' ? posted.transferId : 0;
    expect(await read(id)).toMatchObject({ reversal });
    expect(await read(id)).not.toHaveProperty('other_half');
  });

  test('there is none of another number', async () => {
    expect((await read(999_999_999)).status).toBe(404);
    expect((await read('1e1')).status).toBe(404);
  });
});
