/** Posts one batch: locks the accounts, applies each posting or refuses it, writes everything. */
import { plainArray, type Transaction } from '../db/index.ts';
import type { FailureCode } from '../lib/failures.ts';
import { applyPosting, validatePosting } from './apply-posting.ts';
import { addRefusal, type BatchState, createBatchState } from './batch-state.ts';
import { getLedgerContext } from './ledger-context.ts';
import { openBatch } from './lock-accounts.ts';
import { type LockedBatch, lockBatch } from './lock-batch.ts';
import { persistBatch } from './persist-batch.ts';
import { type ReferenceData, referenceOf } from './reference-data.ts';
import { findPriorResults, type PriorResult, replay, toRefusal } from './refused-keys.ts';
import {
  findAffectedWallets,
  findRequiredAccounts,
  hashPosting,
  resolvePosting,
} from './resolve-postings.ts';
import type { Posting, PostResult, Refusal, RefusedPosting, RequestKey } from './types.ts';
import { getWalletCode } from './wallet-ids.ts';

export interface PostOptions {
  /** All or nothing: one refusal refuses all. Default: each posting has its own result. */
  readonly atomic?: boolean;
  /** Of an atomic batch that is refused: its keys stay refused. Default: they stay free. */
  readonly persistRefusal?: boolean;
}

/** What a batch is asked for: to post, or to record that its caller refuses. */
export type Item = Posting | RefusedPosting;

function isRefused(item: Item): item is RefusedPosting {
  return 'code' in item;
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
  /** Hash of the request that a request key stands for. */
  readonly requests: ReadonlyMap<string, string>;
}

function toPriorResults(priors: readonly PriorResult[]): Map<string, PriorResult> {
  // A key of an older version may be refused and posted (ADR 0079): what was posted counts.
  const refusedFirst = priors.toSorted(
    (one, other) => Number(one.id !== null) - Number(other.id !== null),
  );
  return new Map(refusedFirst.map((prior) => [prior.idempotency_key, prior]));
}

/**
 * The request that each request key stands for: the one whose results are there, else the first one
 * in the batch.
 */
function findRequests(
  byKey: ReadonlyMap<string, PriorResult>,
  items: readonly Item[],
  hashes: readonly string[],
): Map<string, string> {
  const requests = new Map<string, string>();
  for (const { idempotencyKey, requestKey } of items) {
    const prior = byKey.get(idempotencyKey);
    if (requestKey !== undefined && prior) requests.set(requestKey, prior.hash);
  }
  for (const [i, { requestKey }] of items.entries()) {
    if (requestKey !== undefined && !requests.has(requestKey)) {
      requests.set(requestKey, hashes[i] ?? '');
    }
  }
  return requests;
}

/**
 * A transfer may have been reversed by the same request, while this one waited for the account:
 * what the keys stand for is looked up again, as of now.
 */
async function findPriors(
  tx: Transaction,
  { priors }: LockedBatch,
  postings: readonly Posting[],
): Promise<Pick<PriorResults, 'byKey' | 'reversed'>> {
  const reversed = await findReversed(tx, postings);
  const late = postings.filter(({ reverses }) => reverses !== undefined && reversed.has(reverses));
  const again =
    late.length > 0
      ? await findPriorResults(
          tx,
          late.map(({ idempotencyKey }) => idempotencyKey),
        )
      : [];
  return { byKey: toPriorResults([...priors, ...again]), reversed };
}

/**
 * Refusals that may be otherwise later: the balances made them, or the user did not exist yet. They
 * are recorded. An unknown code or a wrong amount is refused the same way each time without being
 * recorded.
 */
const STICKY_REFUSALS: ReadonlySet<FailureCode> = new Set([
  'insufficient_funds',
  'balance_too_large',
  'counter_negative',
  'unknown_user',
]);

function recordRefusal(
  batch: BatchState,
  { byKey }: PriorResults,
  key: RequestKey,
  refusal: Refusal,
): Refusal {
  const { idempotencyKey, requestHash } = key;
  const { code, details = null } = refusal;
  addRefusal(batch, key, refusal);
  const prior = { idempotency_key: idempotencyKey, id: null, hash: requestHash, code, details };
  byKey.set(idempotencyKey, prior);
  return refusal;
}

interface OpenBatch {
  readonly reference: ReferenceData;
  readonly batch: BatchState;
  readonly priors: PriorResults;
}

function postOne(
  { reference, batch, priors }: OpenBatch,
  item: Item,
  requestHash: string,
): PostResult {
  const { idempotencyKey, requestKey } = item;
  const isOther = requestKey !== undefined && priors.requests.get(requestKey) !== requestHash;
  if (isOther) return toRefusal('idempotency_key_reused');
  const prior = priors.byKey.get(idempotencyKey);
  if (prior) return replay(prior, requestHash);
  const key = { idempotencyKey, requestHash };
  if (isRefused(item)) return recordRefusal(batch, priors, key, toRefusal(item.code, item.details));
  const { reverses } = item;
  if (reverses !== undefined && priors.reversed.has(reverses)) return toRefusal('already_reversed');
  const resolved = resolvePosting(reference, batch, item, requestHash);
  const code = typeof resolved === 'string' ? resolved : validatePosting(resolved);
  if (code !== undefined || typeof resolved === 'string') {
    const refusal = toRefusal(code ?? null);
    // Each part of a request leaves a row, so that the same key with another body, however short,
    // is noticed.
    const isKept = requestKey !== undefined || STICKY_REFUSALS.has(refusal.code);
    return isKept ? recordRefusal(batch, priors, key, refusal) : refusal;
  }
  const transferId = applyPosting(batch, resolved);
  if (reverses !== undefined) priors.reversed.add(reverses);
  priors.byKey.set(idempotencyKey, {
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
  const refused = createBatchState(batch);
  refused.refusals.push(...batch.refusals);
  for (const transfer of batch.transfers) addRefusal(refused, transfer, { code: 'batch_refused' });
  return refused;
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

/** Posts in an open transaction. Results are in the order of the items. */
export async function postBatch(
  tx: Transaction,
  items: readonly Item[],
  { atomic = false, persistRefusal = false }: PostOptions = {},
): Promise<PostResult[]> {
  if (items.length === 0) return [];
  if (items.length > BATCH_MAX) throw new RangeError(`a batch holds at most ${BATCH_MAX} postings`);
  const postings = items.filter((item): item is Posting => !isRefused(item));
  const reference = await referenceOf(tx, {
    currencies: postings.map((posting) => posting.currency),
    businesses: postings.map((posting) => posting.businessId),
    kinds: postings.flatMap(({ debit, credit }) => [getWalletCode(debit), getWalletCode(credit)]),
  });
  const { sealKey } = getLedgerContext(tx);
  const locking = lockBatch(tx, {
    ...findAffectedWallets(reference, postings),
    idempotencyKeys: items.map((item) => item.idempotencyKey),
  });
  // Hashed while the database locks.
  const hashes = items.map((item) => (isRefused(item) ? item.requestHash : hashPosting(item)));
  const locked = await locking;
  const found = await findPriors(tx, locked, postings);
  const priors = { ...found, requests: findRequests(found.byKey, items, hashes) };
  const unanswered = postings.filter(({ idempotencyKey }) => !priors.byKey.has(idempotencyKey));
  const batch = await openLocked(tx, reference, locked, unanswered);
  const open = { reference, batch, priors };
  const results = items.map((item, i) => postOne(open, item, hashes[i] ?? ''));
  const isRefusedWhole = atomic && results.some((result) => result.status === 'refused');
  if (!isRefusedWhole || persistRefusal)
    await persistBatch(tx, sealKey, isRefusedWhole ? refuseAll(batch) : batch);
  return isRefusedWhole
    ? results.map((result) => (result.status === 'posted' ? toRefusal('batch_refused') : result))
    : results;
}
