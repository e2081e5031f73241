/**
 * Two bodies under one key at the same moment, of which one is refused: the key belongs to one of
 * them, and each of the two callers gets the same answer again for ever.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyLedger } from '../../src/ledger/index.ts';
import { type MoneyServer, openMoneyServer } from '../support/money-server.ts';
import { sized } from '../support/scale.ts';
import { insertUser } from '../support/test-users.ts';

const ROUNDS = sized({ quick: 12, full: 60, soak: 400 });

let money: MoneyServer;
let poor: number;
let rich: number;
beforeAll(async () => {
  money = await openMoneyServer('server');
  [poor, rich] = [await insertUser(money.database), await insertUser(money.database)];
  const funds = {
    transfers: [
      {
        debit: { house: 'adjustment' },
        credit: { user_id: rich, wallet: 'asset' },
        currency: 'USDT',
        amount: '1000000',
        business_id: 'adjustment',
      },
    ],
  };
  const answer = await money.post('/operator/transfers', funds, { 'idempotency-key': 'funds' });
  expect(answer.statusCode).toBe(200);
});
afterAll(async () => {
  expect((await verifyLedger(money.database)).findings).toEqual([]);
  await money?.close();
});

const withdrawal = (user_id: number) => ({ user_id, currency: 'USDT', amount: 1 });
const transfers = (userId: number, atomic: boolean) => ({
  atomic,
  transfers: [
    {
      debit: { user_id: userId, wallet: 'asset' },
      credit: { house: 'adjustment' },
      currency: 'USDT',
      amount: '1',
      business_id: 'adjustment',
    },
  ],
});
const reward = (user_id: number) => ({
  user_id,
  currency: 'EDGE',
  amount: 1,
  reward_type: 'BONUS',
});
const UNKNOWN = 999_999;

test.each([
  ['withdrawals', '/operator/withdrawals', () => [withdrawal(poor), withdrawal(rich)]],
  ['transfers', '/operator/transfers', () => [transfers(UNKNOWN, false), transfers(rich, false)]],
  [
    'atomic transfers',
    '/operator/transfers',
    () => [transfers(UNKNOWN, true), transfers(rich, true)],
  ],
  ['rewards', '/operator/rewards', () => [reward(UNKNOWN), reward(rich)]],
] as const)('%s', async (_name, path, bodies) => {
  for (let round = 0; round < ROUNDS; round++) {
    const headers = { 'idempotency-key': money.key() };
    const both = bodies();
    const send = () => Promise.all(both.map((body) => money.post(path, body, headers)));
    const first = await send();
    const codes = first.map((answer) => answer.json().code);
    expect(codes.filter((code) => code === 'idempotency_key_reused')).toHaveLength(1);
    const again = await send();
    expect(again.map(({ statusCode, body }) => [statusCode, withoutIds(body)])).toEqual(
      first.map(({ statusCode, body }) => [statusCode, withoutIds(body)]),
    );
  }
});

/** A problem without the id of its request. */
function withoutIds(body: string): string {
  return body.replace(/"request_id":"[^"]*"/, '');
}

test('no key is both posted and refused', async () => {
  const { rowCount } = await money.database.query(
    `select 1 from refused_posting r
     where exists (select from transfer t where t.idempotency_key = r.idempotency_key)
       or exists (select from hold_step s where s.idempotency_key = r.idempotency_key)`,
  );
  expect(rowCount).toBe(0);
});
