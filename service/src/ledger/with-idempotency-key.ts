/**
 * Use cases around postings: what the idempotency key of their request stands for is kept by the
 * ledger.
 */
import {
  ADVISORY_LOCKS,
  type Db,
  isLockTimeout,
  LOCK_TIMEOUT_MS,
  noteRefusal,
  savepoint,
  type Transaction,
  takeNamedLock,
  transaction,
} from '../db/index.ts';
import { Failure, type FailureCode, failure } from '../lib/failures.ts';
import { postBatch } from './post-batch.ts';
import { findPriorResults } from './refused-keys.ts';
import type { Refusal, RefusedPosting, RequestKey } from './types.ts';

export function toFailure({ code, details }: Omit<Refusal, 'status'>): Failure {
  return failure(code, details);
}

/** A refusal of the caller, with what its answer says, to be recorded under a key. */
export function toRefusedPosting(key: RequestKey, { code, details }: Failure): RefusedPosting {
  const { detail, fields } = details;
  const said = { ...(detail !== undefined && { detail }), ...(fields && { fields }) };
  return { ...key, code, ...(Object.keys(said).length > 0 && { details: said }) };
}

/** Faults of the service and conflicts of the key itself are not recorded: a retry may succeed. */
const NOT_RECORDED: ReadonlySet<FailureCode> = new Set([
  'internal_error',
  'unavailable',
  'idempotency_key_reused',
  'idempotency_in_flight',
]);

async function checkPrior(
  tx: Transaction,
  { idempotencyKey, requestHash }: RequestKey,
): Promise<void> {
  for (const prior of await findPriorResults(tx, [idempotencyKey])) {
    if (prior.hash !== requestHash) throw failure('idempotency_key_reused');
    if (prior.id === null)
      throw toFailure({
        code: prior.code ?? 'internal_error',
        ...(prior.details && { details: prior.details }),
      });
  }
}

/**
 * What a request is refused with: its refusal is recorded, unless the key stood for something
 * already.
 */
export async function refuseRequest(
  tx: Transaction,
  key: RequestKey,
  error: Failure,
): Promise<Failure> {
  if (NOT_RECORDED.has(error.code)) return error;
  noteRefusal();
  const [now] = await postBatch(tx, [toRefusedPosting(key, error)]);
  return now?.status === 'refused' && now.code !== error.code ? toFailure(now) : error;
}

export interface KeyOptions {
  /**
   * A repetition waits for the first request before all else. For a use case that waits for
   * something else, such as a limit, before it reaches the index of keys.
   */
  readonly locksKey?: boolean;
}

/** @throws `idempotency_in_flight` when another request with the key does not end */
async function lockKey(tx: Transaction, { idempotencyKey }: RequestKey): Promise<void> {
  try {
    await takeNamedLock(tx, ADVISORY_LOCKS.idempotencyKey, idempotencyKey);
  } catch (cause) {
    if (!isLockTimeout(cause)) throw cause;
    throw failure('idempotency_in_flight', { cause, retryAfter_s: 1 });
  }
}

/**
 * Runs a use case that posts under the key of a request, or under keys that belong to it. A
 * refusal, thrown or returned, is recorded under the key, so that the same request is refused the
 * same way for ever. One that is thrown undoes what was written; one that is returned keeps it. The
 * use case itself recognises what it has posted for the key before.
 * @throws `idempotency_key_reused`, `idempotency_in_flight`, and what `work` refuses
 */
export async function withIdempotencyKey<T>(
  db: Db,
  key: RequestKey,
  work: (tx: Transaction) => Promise<T | Failure>,
  { locksKey = false }: KeyOptions = {},
): Promise<T> {
  const run = async (tx: Transaction): Promise<T | Failure> => {
    if (locksKey) await lockKey(tx, key);
    await checkPrior(tx, key);
    const result = await savepoint(tx, () => work(tx)).catch((error: unknown) => {
      if (error instanceof Failure) return error;
      throw error;
    });
    return result instanceof Failure ? refuseRequest(tx, key, result) : result;
  };
  const outcome = await transaction(db, run, { lockTimeout_ms: LOCK_TIMEOUT_MS.request });
  if (outcome instanceof Failure) throw outcome;
  return outcome;
}
