/**
 * What a client meets when a lock stays taken: 503 for a lock of the database, 409 for its own key
 * in flight, both with `Retry-After`. The embedded database has one connection, and no such locks.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type MoneyServer, openMoneyServer } from '../../test/support/money-server.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { type Transaction, transaction } from '../db/index.ts';
import { postTransfers } from '../ledger/index.ts';

class Undone extends Error {}

describe('locks that stay taken', () => {
  let money: MoneyServer;
  let person: number;
  beforeAll(async () => {
    money = await openMoneyServer('server');
  });
  afterAll(() => money.close());
  beforeEach(async () => {
    person = await insertUser(money.database);
    const credit = (wallet: string, currency: string) => ({
      debit: { house: 'adjustment' },
      credit: { user_id: person, wallet },
      currency,
      amount: '1',
      business_id: 'adjustment',
    });
    const transfers = [credit('asset', 'USDT'), credit('bonus', 'EDGE')];
    expect((await money.post('/operator/transfers', { transfers })).statusCode).toBe(200);
  });

  const reward = (key: string, userId = person) =>
    money.post('/operator/rewards', money.reward({ user_id: userId }), { 'idempotency-key': key });
  const withdraw = (key: string, amount = '0.5') =>
    money.post(
      '/operator/withdrawals',
      { user_id: person, currency: 'USDT', amount },
      { 'idempotency-key': key },
    );
  const describeAnswer = ({ statusCode, headers, json }: Awaited<ReturnType<typeof reward>>) => [
    statusCode,
    headers['retry-after'],
    json().code,
  ];

  /** Runs `meanwhile` while a transaction has what `take` takes; then undoes it. */
  async function whileTaken<T>(
    take: (tx: Transaction) => Promise<unknown>,
    meanwhile: () => Promise<T>,
  ): Promise<T> {
    let result: T | undefined;
    const holding = transaction(money.database, async (tx) => {
      await take(tx);
      result = await meanwhile();
      throw new Undone();
    });
    await expect(holding).rejects.toThrow(Undone);
    return result as T;
  }

  test.each([
    [
      'the row of the account',
      (tx: Transaction) => tx.query('select from account where user_id = $1 for update', [person]),
    ],
    ['all shards', (tx: Transaction) => tx.query('select from ledger_shard for update')],
  ])('%s: 503, and the same request succeeds afterwards', async (_name, take) => {
    const [one, other] = [money.key(), money.key()];
    const answers = await whileTaken(take, () => Promise.all([reward(one), withdraw(other)]));
    for (const answer of answers) expect(describeAnswer(answer)).toEqual([503, '1', 'unavailable']);
    for (const answer of [await reward(one), await withdraw(other)])
      expect(answer.statusCode).toBe(200);
  });

  test('a shard: a posting takes another one, and a refusal waits', async () => {
    const [paid, refused] = [money.key(), money.key()];
    const tooMuch = () => withdraw(refused, '1000000');
    const answers = await whileTaken(
      (tx) => tx.query('select from ledger_shard where shard = 7 for update'),
      () => Promise.all([reward(paid), tooMuch()]),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 503]);
    expect((await tooMuch()).json().code).toBe('insufficient_funds');
  });

  test('the key of the request: 409, and other users are served', async () => {
    const taken = money.key();
    const [elsewhere, payee] = [await insertUser(money.database), await insertUser(money.database)];
    const post = (tx: Transaction) =>
      postTransfers(tx, [
        {
          idempotencyKey: `operator-reward:client:test-operator:${taken}`,
          requestHash: '0'.repeat(32),
          debit: { house: 'reward_pool' },
          credit: { userId: payee, wallet: 'bonus' },
          currency: 'EDGE',
          amount: 1n,
          businessId: 'reward',
          rewardType: 'TASK',
          eventAt: new Date('2026-11-01T00:00:00Z'),
        },
      ]);
    const [inFlight, served] = await whileTaken(post, () =>
      Promise.all([reward(taken), reward(money.key(), elsewhere)]),
    );
    expect(describeAnswer(inFlight)).toEqual([409, '1', 'idempotency_in_flight']);
    expect(served.statusCode).toBe(200);
    expect((await reward(taken)).statusCode).toBe(200);
  });
});
