/** Posting: the only way in which money moves. */
import type { Database, Db, Transaction } from '../db/index.ts';
import { batcherOf } from './micro-batcher.ts';
import { type PostOptions, postBatch, postBatchAlone } from './post-batch.ts';
import type { Posting, PostResult } from './types.ts';

/** Calls of up to this many postings share a batch with other callers. */
const SHARED_MAX = 50;

/**
 * Posts transfers; each is posted at most once by its `idem`. Results stand in the order of the postings.
 * @param db pool or transaction; the caller's transaction is joined, callers of the pool share batches
 */
export async function postTransfers(db: Db, postings: readonly Posting[], options: PostOptions = {}): Promise<PostResult[]> {
  if (!db.isTransaction && !options.atomic && postings.length > 0 && postings.length <= SHARED_MAX)
    return [...(await batcherOf(db as Database).submit(postings))];
  return db.isTransaction ? postBatch(db as Transaction, postings, options) : postBatchAlone(db as Database, postings, options);
}
