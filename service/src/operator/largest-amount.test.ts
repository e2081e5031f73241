import { expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { openMoneyServer } from '../../test/support/money-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { verifyLedger } from '../ledger/index.ts';

test.each(RUN_ENGINES)(
  'the largest amount neither fills an account nor blocks those after it, on %s',
  async (engine) => {
    const money = await openMoneyServer(engine);
    const person = await insertUser(money.database);
    const largest = 10n ** 22n;
    const pay = (amount: string) =>
      money.post('/operator/rewards', money.reward({ user_id: person, amount }));
    const paid = (await pay(String(largest))).json();
    expect((await money.post(`/operator/transfers/${paid.id}/reverse`, {})).statusCode).toBe(200);
    for (let i = 0; i < 20; i++) expect((await pay('1')).statusCode).toBe(200);
    expect((await pay(`${largest}.000000000000000001`)).json()).toMatchObject({
      status: 400,
      errors: [{ field: 'amount', code: 'too_large' }],
    });
    expect((await verifyLedger(money.database)).findings).toEqual([]);
    await money.close();
  },
);
