/** Turns concurrent callers into batches: one sync of the disk and one round of locks then serve hundreds of them. */
import type { Database } from '../db/index.ts';
import { type Coalescer, createCoalescer } from '../lib/coalescer.ts';
import { postBatchAlone } from './post-batch.ts';
import type { Posting, PostResult } from './types.ts';

const BATCH_MAX = 500;
/** One batch is prepared or synced while the other is written; more would only make them smaller. The embedded database has one connection. */
const UNDER_WAY_MAX = { server: 2, embedded: 1 } as const;
/** A batch that waits for somebody's account, or for an answer that was lost on its way, keeps nobody else waiting longer. */
const PATIENCE_MS = 250;
/** What a batch costs once is more than what this many postings cost. */
const SHARE_MIN = 16;

type Call = readonly Posting[];
export type MicroBatcher = Coalescer<Call, readonly PostResult[]>;

/** Whose wallets a call locks. The house has wallets for each batch. */
function usersOf(call: Call): number[] {
  return call.flatMap(({ debit, credit }) => [debit, credit].flatMap((ref) => ('house' in ref ? [] : [ref.userId])));
}

async function postTogether(database: Database, calls: readonly Call[]): Promise<PostResult[][]> {
  const results = await postBatchAlone(database, calls.flat());
  let next = 0;
  return calls.map((call) => {
    const start = next;
    next += call.length;
    return results.slice(start, next);
  });
}

const batchers = new WeakMap<Database, MicroBatcher>();

export function batcherOf(database: Database): MicroBatcher {
  const known =
    batchers.get(database) ??
    createCoalescer<Call, PostResult[]>({
      underWayMax: UNDER_WAY_MAX[database.kind],
      sizeMax: BATCH_MAX,
      shareMin: SHARE_MIN,
      ...(database.kind === 'server' && { patience_ms: PATIENCE_MS }),
      sizeOf: (call) => call.length,
      keysOf: usersOf,
      run: (calls) => postTogether(database, calls),
    });
  batchers.set(database, known);
  return known;
}
