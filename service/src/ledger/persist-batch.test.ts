import { expect, test } from 'vitest';
import { recordStatements } from '../../test/read-plans/record-statements.ts';
import { openTestDatabase } from '../../test/support/databases.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { placeHold, postTransfers } from './index.ts';
import { findEventRanges } from './persist-batch.ts';

const shard = { shard: 3, seals: 0, transfers: 10, steps: 0, refusals: 0, mac: Buffer.alloc(0) };

test('consecutive transfers with one event type are one range', () => {
  const events = [
    'reward.posted',
    'reward.posted',
    undefined,
    'reward.posted',
    'wallet.changed',
  ] as const;
  expect(findEventRanges({ shard, events: [...events] })).toEqual([
    { type: 'reward.posted', shard: 3, firstTransfer: 10, transfers: 2 },
    { type: 'reward.posted', shard: 3, firstTransfer: 13, transfers: 1 },
    { type: 'wallet.changed', shard: 3, firstTransfer: 14, transfers: 1 },
  ]);
  expect(findEventRanges({ shard, events: [undefined, undefined] })).toEqual([]);
});

test('a batch takes the lock of keys once, whatever it writes', async () => {
  const database = await openTestDatabase('server');
  try {
    const recorder = recordStatements(database);
    const userId = await insertUser(database);
    const give = {
      debit: { house: 'adjustment' },
      credit: { userId, wallet: 'asset' },
      ...{ currency: 'EDGE', amount: 5n, businessId: 'adjustment', eventAt: new Date() },
    };
    const take = { ...give, debit: give.credit, credit: give.debit, amount: 100n };
    const hold = { account: give.credit, currency: 'EDGE', amount: 1n, businessId: 'withdrawal' };
    const locksOf = async (work: () => Promise<unknown>): Promise<string[]> =>
      (await recorder.during(work)).flatMap(({ text }) => /pg_advisory_\w+/.exec(text)?.[0] ?? []);
    const both = [
      { ...give, idempotencyKey: 'give' },
      { ...take, idempotencyKey: 'take' },
    ];
    const alone = 'pg_advisory_xact_lock';
    expect(await locksOf(() => postTransfers(database, both))).toEqual([alone]);
    const shared = 'pg_advisory_xact_lock_shared';
    expect(await locksOf(() => placeHold(database, { ...hold, idempotencyKey: 'hold' }))).toEqual([
      shared,
    ]);
    const more = [{ ...give, idempotencyKey: 'more' }];
    expect(await locksOf(() => postTransfers(database, more))).toEqual([shared]);
  } finally {
    await database.close();
  }
});
