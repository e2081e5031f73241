/** Posts one batch: locks the accounts, applies each posting or refuses it, writes everything. */
import type { Transaction } from '../db/index.ts';
import { plainArray } from '../db/index.ts';
import type { FailureCode } from '../lib/failures.ts';
import { applyPosting, type BatchState, validatePosting } from './batch-state.ts';
import { getLedgerContext } from './ledger-context.ts';
import { type LockedBatch, lockBatch, openBatch } from './lock-accounts.ts';
import { persistBatch } from './persist-batch.ts';
import { type ReferenceData, referenceOf } from './reference-data.ts';
import { type PriorResult, replay, toRefusal } from './refused-keys.ts';
import {
  findAffectedWallets,
  findRequiredAccounts,
  hashPosting,
  resolvePosting,
} from './resolve-postings.ts';
import type { Posting, PostResult } from './types.ts';
import { getWalletCode } from './wallet-ids.ts';

export interface PostOptions {
  /** All or nothing: one refusal refuses all. Default: each posting has its own result. */
  readonly atomic?: boolean;
  /** Of an atomic batch that is refused: its keys stay refused. Default: they stay free. */
  readonly persistRefusal?: boolean;
}

/** Postings in a batch, at most. */
export const BATCH_MAX = 1000;

const REVERSED = 'select reverses from transfer where reverses = any($1::bigint[])';

/** Which of the transfers that the batch would reverse are reversed already. */
async function findReversed(tx: Transaction, postings: readonly Posting[]): Promise<Set<number>> {
  const asked = postings.flatMap((posting) => posting.reverses ?? []);
  if (asked.length === 0) return new Set();
  const { rows } = await tx.query<{ reverses: number }>(REVERSED, [plainArray(asked)]);
  return new Set(rows.map((row) => row.reverses));
}

/** What was there before the batch, and what it adds. */
interface PriorResults {
  /** By key. */
  readonly byKey: Map<string, PriorResult>;
  /** Transfers that are reversed. */
  readonly reversed: Set<number>;
  /** Requests one of whose keys stands for another request. */
  readonly conflicts: ReadonlySet<string>;
}

function toPriorResults(
  priors: readonly PriorResult[],
  postings: readonly Posting[],
  hashes: readonly string[],
  reversed: Set<number>,
): PriorResults {
  // A key that two requests used at the same moment may be refused and posted: what was posted counts.
  const refusedFirst = priors.toSorted(
    (one, other) => Number(one.id !== null) - Number(other.id !== null),
  );
  const byKey = new Map(refusedFirst.map((prior) => [prior.idempotency_key, prior]));
  const conflicts = postings.flatMap(({ idempotencyKey, requestKey }, i) => {
    const prior = byKey.get(idempotencyKey);
    return requestKey !== undefined && prior && prior.hash !== hashes[i] ? requestKey : [];
  });
  return { byKey, reversed, conflicts: new Set(conflicts) };
}

/**
 * Refusals that may be otherwise later: the balances made them, or the user did not exist yet. They are recorded. An unknown
 * code or a wrong amount is refused the same way each time without being recorded.
 */
const STICKY_REFUSALS: ReadonlySet<FailureCode> = new Set([
  'insufficient_funds',
  'balance_too_large',
  'counter_negative',
  'unknown_user',
]);

function postOne(
  reference: ReferenceData,
  batch: BatchState,
  { byKey, reversed, conflicts }: PriorResults,
  posting: Posting,
  requestHash: string,
): PostResult {
  const { idempotencyKey, reverses, requestKey } = posting;
  if (requestKey !== undefined && conflicts.has(requestKey))
    return toRefusal('idempotency_key_reused');
  const prior = byKey.get(idempotencyKey);
  if (prior) return replay(prior, requestHash);
  if (reverses !== undefined && reversed.has(reverses)) return toRefusal('already_reversed');
  const resolved = resolvePosting(reference, batch, posting, requestHash);
  const code = typeof resolved === 'string' ? resolved : validatePosting(resolved);
  if (code !== undefined || typeof resolved === 'string') {
    const refusal = toRefusal(code ?? null);
    if (STICKY_REFUSALS.has(refusal.code)) {
      batch.refusals.push({ idempotencyKey, requestHash, code: refusal.code });
      byKey.set(idempotencyKey, {
        idempotency_key: idempotencyKey,
        id: null,
        hash: requestHash,
        code: refusal.code,
        details: null,
      });
    }
    return refusal;
  }
  const transferId = applyPosting(batch, resolved);
  if (reverses !== undefined) reversed.add(reverses);
  byKey.set(idempotencyKey, {
    idempotency_key: idempotencyKey,
    id: transferId,
    hash: requestHash,
    code: null,
    details: null,
  });
  return { status: 'posted', transferId };
}

/** What is left to write of a batch that is refused as a whole: its refusals. */
function refuseAll(batch: BatchState): BatchState {
  const refused = batch.transfers.map(({ idempotencyKey, requestHash }) => ({
    idempotencyKey,
    requestHash,
    code: 'batch_refused' as const,
  }));
  return {
    ...batch,
    transfers: [],
    events: [],
    earnings: new Map(),
    refusals: [...batch.refusals, ...refused],
  };
}

async function openLocked(
  tx: Transaction,
  reference: ReferenceData,
  { shard, rows }: LockedBatch,
  unanswered: readonly Posting[],
): Promise<BatchState> {
  const wanted = findRequiredAccounts(reference, unanswered, shard.shard);
  return openBatch(tx, {
    clock: getLedgerContext(tx).clock,
    shard,
    referenceVersion: reference.mark,
    wanted,
    locked: rows,
  });
}

/** Posts in an open transaction. Results are in the order of the postings. */
export async function postBatch(
  tx: Transaction,
  postings: readonly Posting[],
  { atomic = false, persistRefusal: staysRefused = false }: PostOptions = {},
): Promise<PostResult[]> {
  if (postings.length === 0) return [];
  if (postings.length > BATCH_MAX)
    throw new RangeError(`a batch holds at most ${BATCH_MAX} postings`);
  const reference = await referenceOf(tx, {
    currencies: postings.map((posting) => posting.currency),
    businesses: postings.map((posting) => posting.businessId),
    kinds: postings.flatMap(({ debit, credit }) => [getWalletCode(debit), getWalletCode(credit)]),
  });
  const { sealKey } = getLedgerContext(tx);
  const locking = lockBatch(tx, {
    ...findAffectedWallets(reference, postings),
    idempotencyKeys: postings.map((posting) => posting.idempotencyKey),
  });
  // Hashed while the database locks.
  const hashes = postings.map(hashPosting);
  const locked = await locking;
  const priors = toPriorResults(locked.priors, postings, hashes, await findReversed(tx, postings));
  const unanswered = postings.filter(({ idempotencyKey }) => !priors.byKey.has(idempotencyKey));
  const batch = await openLocked(tx, reference, locked, unanswered);
  const results = postings.map((posting, i) =>
    postOne(reference, batch, priors, posting, hashes[i] ?? ''),
  );
  if (atomic && results.some((result) => result.status === 'refused')) {
    if (staysRefused) await persistBatch(tx, sealKey, refuseAll(batch));
    return results.map((result) =>
      result.status === 'posted' ? toRefusal('batch_refused') : result,
    );
  }
  await persistBatch(tx, sealKey, batch);
  return results;
}
