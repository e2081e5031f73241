/** What a database lacks of the ledger that a signed head knows. */
import type { Db } from '../db/index.ts';
import { type HeadBody, isSignedByLedger, readShards, type SignedHead } from './signed-heads.ts';

export interface LedgerGap {
  readonly day: string;
  readonly signedAt: string;
  /** False: a key signed it that is not of this ledger, or it was changed. */
  readonly isSigned: boolean;
  /** Rows that the head knows and the database lacks. */
  readonly transfers: number;
  readonly steps: number;
  readonly refusals: number;
}

/** Compares counts by shard: rows are only ever added to a shard. */
export async function measureGap(db: Db, head: SignedHead): Promise<LedgerGap> {
  const body = JSON.parse(head.body) as HeadBody;
  const here = new Map((await readShards(db)).map((shard) => [shard.shard, shard]));
  const sumLacking = (count: 'transfers' | 'steps' | 'refusals'): number =>
    body.shards.reduce(
      (sum, shard) =>
        sum + Math.max(0, (shard[count] ?? 0) - (here.get(shard.shard)?.[count] ?? 0)),
      0,
    );
  return {
    day: body.day,
    signedAt: body.signed_at,
    isSigned: await isSignedByLedger(db, head),
    transfers: sumLacking('transfers'),
    steps: sumLacking('steps'),
    refusals: sumLacking('refusals'),
  };
}
