/**
 * Posting: the only way in which money moves. Concurrent callers, HTTP requests above all, share
 * batches.
 */
import {
  type Database,
  type Db,
  databaseOf,
  isDatabaseBusy,
  LOCK_TIMEOUT_MS,
  runUnaudited,
  type Transaction,
  transaction,
} from '../db/index.ts';
import { createCallBatcher } from '../lib/call-batcher.ts';
import { perObject } from '../lib/per-object.ts';
import { type Item, type PostOptions, postBatch } from './post-batch.ts';
import type { PostResult } from './types.ts';

/** Postings of one call that still share a batch with other calls. */
const SHARED_MAX = 50;
const BATCH_SIZE_MAX = 500;
/**
 * Batches at once: one is prepared or synced to disk while the other is written. The embedded
 * database has one connection.
 */
const CONCURRENCY_MAX = { server: 2, embedded: 1 } as const;
/** The fixed cost of a batch exceeds the cost of this many postings. */
const BATCH_SIZE_MIN = 16;
type Call = readonly Item[];

/**
 * The people whose accounts a call locks. House accounts exist once per shard and are never waited
 * for.
 */
function findOwners(call: Call): number[] {
  return call.flatMap((item) =>
    ('code' in item ? [] : [item.debit, item.credit]).flatMap((ref) =>
      'house' in ref ? [] : [ref.userId],
    ),
  );
}

/** Posts what several calls ask for in one transaction; each call gets its own results. */
async function postShared(
  database: Database,
  calls: readonly Call[],
  lockTimeout_ms: number,
): Promise<PostResult[][]> {
  const work = (tx: Transaction) => postBatch(tx, calls.flat());
  const run = () => transaction(database, work, { lockTimeout_ms });
  const results = (await runUnaudited(run)).values();
  return calls.map((call) => [...results.take(call.length)]);
}

const batcherOf = perObject((database: Database) =>
  createCallBatcher<Call, PostResult[]>({
    concurrencyMax: CONCURRENCY_MAX[database.kind],
    sizeMax: BATCH_SIZE_MAX,
    sizeMin: BATCH_SIZE_MIN,
    sizeOf: (call) => call.length,
    keysOf: findOwners,
    run: (calls) => postShared(database, calls, LOCK_TIMEOUT_MS.short),
    runApart: (calls) => postShared(database, calls, LOCK_TIMEOUT_MS.request),
    isSharedError: (error) => error instanceof Error && isDatabaseBusy(error),
  }),
);

/**
 * Posts transfers; each is posted at most once by its key. Results are in the order of the
 * postings.
 * @param db a transaction is joined; calls on the database share batches, unless they are atomic
 *   or large
 */
export async function postTransfers(
  db: Db,
  postings: readonly Item[],
  options: PostOptions = {},
): Promise<PostResult[]> {
  if (db.isTransaction) return postBatch(db as Transaction, postings, options);
  const database = databaseOf(db);
  const isShared = !options.atomic && postings.length > 0 && postings.length <= SHARED_MAX;
  if (isShared) return batcherOf(database).submit(postings);
  return transaction(database, (tx) => postBatch(tx, postings, options), {
    lockTimeout_ms: LOCK_TIMEOUT_MS.request,
  });
}
