import { expect, test } from 'vitest';
import { findEventRanges } from './persist-batch.ts';

const shard = { shard: 3, seals: 0, transfers: 10, steps: 0, refusals: 0, mac: Buffer.alloc(0) };

test('transfers that follow each other with one type of event are one range', () => {
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
