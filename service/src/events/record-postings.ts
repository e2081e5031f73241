/** Writes one row for the events of many postings, in the transaction that posts them. */
import { defineStatement, execute, type Transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { PostingEventType } from './event-types.ts';

export interface NewPostingRange {
  readonly type: PostingEventType;
  readonly shard: number;
  /** Number of the first transfer in its shard: its id is `n * 16 + shard + 1`. */
  readonly firstTransfer: number;
  /** How many transfers follow each other from there on. */
  readonly transfers: number;
}

const INSERT_RANGES = defineStatement(
  'record-posting-events',
  `insert into event (type, shard, first_transfer, transfers, created_at)
  select type, shard, first_transfer, transfers, :now
  from unnest(:types::text[], :shards::smallint[], :first_transfers::bigint[], :counts::int[])
    with ordinality as range (type, shard, first_transfer, transfers, n) order by n`,
);

/**
 * Records the events of ranges of transfers, for the users on both sides. One statement, sent
 * at once, so that it can be pipelined. A transfer may be in one range only. The accounts of the
 * postings must be locked by a statement that was sent before this one, and the ranges of one
 * transaction must be in the order of posting: then the events of a wallet have their positions in
 * the order of its entries, and a stream that resumes relies on that.
 */
export function recordPostingEvents(
  tx: Transaction,
  clock: Clock,
  ranges: readonly NewPostingRange[],
): Promise<unknown> {
  if (ranges.length === 0) return Promise.resolve();
  return execute(tx, INSERT_RANGES, {
    types: ranges.map((range) => range.type),
    shards: ranges.map((range) => range.shard),
    first_transfers: ranges.map((range) => range.firstTransfer),
    counts: ranges.map((range) => range.transfers),
    now: clock.now(),
  });
}
