import { expect, test } from 'vitest';
import { recordStatements } from '../../test/read-plans/record-statements.ts';
import { openTestDatabase } from '../../test/support/databases.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { placeHold, postTransfers } from './index.ts';
import { findEventRanges } from './persist-batch.ts';

const shard = {
  shard: 3,
  seals: 0,
  transfers: 10,
  steps: 0,
  refusals: 0,
  mac: Buffer.alloc(0),
  areAllLocked: false,
};

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

test('a posting takes no advisory lock, and only a refusal all shards', async () => {
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
    const LOCKS: readonly [string, RegExp][] = [
      ['advisory', /pg_advisory_/],
      ['one shard', /ledger_shard[^()]* skip locked/],
      ['all shards', /ledger_shard[^()]* order by shard for no key update/],
    ];
    const locksOf = async (work: () => Promise<unknown>): Promise<string[]> =>
      (await recorder.during(work)).flatMap(({ text }) =>
        LOCKS.flatMap(([name, pattern]) => (pattern.test(text) ? [name] : [])),
      );
    const one = ['one shard'];
    const give1 = [{ ...give, idempotencyKey: 'give' }];
    expect(await locksOf(() => postTransfers(database, give1))).toEqual(one);
    const held = { ...hold, idempotencyKey: 'hold' };
    expect(await locksOf(() => placeHold(database, held))).toEqual(one);
    const both = [
      { ...give, idempotencyKey: 'more' },
      { ...take, idempotencyKey: 'take' },
    ];
    const all = ['one shard', 'all shards'];
    expect(await locksOf(() => postTransfers(database, both))).toEqual(all);
    const tooMuch = { ...hold, amount: 100n, idempotencyKey: 'too much' };
    expect(await locksOf(() => placeHold(database, tooMuch))).toEqual(all);
  } finally {
    await database.close();
  }
});
