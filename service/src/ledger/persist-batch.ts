/**
 * Writes a batch: refusals, steps of holds, transfers with all that follows from them, and the
 * events.
 */
import type { KeyObject } from 'node:crypto';
import {
  type Db,
  defineStatement,
  execute,
  inOrder,
  isIndexLocked,
  isUniqueViolation,
  type Transaction,
} from '../db/index.ts';
import { type NewPostingRange, recordPostingEvents } from '../events/index.ts';
import { failure } from '../lib/failures.ts';
import { type BatchState, holdStateAfter, type StepRow } from './batch-state.ts';
import { insertBatch } from './insert-batch.ts';
import { getLedgerContext } from './ledger-context.ts';
import { forgetChanged } from './reference-data.ts';
import { insertRefusals, isAnyRefused } from './refused-keys.ts';

/**
 * Another transaction used one of the keys, or opened one of the accounts, first: the whole
 * transaction may be tried again.
 */
export class ConcurrentPostingError extends Error {
  readonly code = '40001';
  constructor(cause: unknown) {
    super('another posting came first', { cause });
    this.name = 'ConcurrentPostingError';
  }
}

/** A batch records refusals, but has not locked all shards: the next try does. */
export class RefusalNeedsAllShards extends Error {
  readonly code = '40001';
  constructor() {
    super('a refusal is recorded with all shards locked');
    this.name = 'RefusalNeedsAllShards';
  }
}

const CONFLICT_CONSTRAINTS = [
  'transfer_idempotency_key',
  'transfer_reverses_key',
  'entry_pkey',
  'hold_step_idempotency_key',
  'refused_posting_pkey',
];

async function writeRefusals(
  tx: Transaction,
  { refusals, createdAt, shard }: BatchState,
): Promise<void> {
  if (!shard.areAllLocked) throw new RefusalNeedsAllShards();
  if ((await insertRefusals(tx, refusals, createdAt)) < refusals.length)
    throw new ConcurrentPostingError('a refused key was used meanwhile');
}

const CHANGE_HOLD = defineStatement(
  'ledger_change_hold',
  `update hold set remaining = :remaining, state = :state, updated_at = :at where id = :hold_id`,
);

const INSERT_HOLD = defineStatement(
  'ledger_insert_hold',
  `insert into hold (id, wallet_id, currency_id, business_id, amount, remaining, state, expires_at,
     created_at, updated_at, reference, remark)
   values (:id, :wallet_id, :currency_id, :business_id, :amount, :amount, 'open', :expires_at, :at,
     :at, :reference, :remark)`,
);

const INSERT_STEP = defineStatement(
  'ledger_insert_hold_step',
  `insert into hold_step (id, hold_id, kind, amount, remaining, transfer_id, created_at,
     request_hash, idempotency_key)
   values (:id, :hold_id, :kind, :amount, :remaining, :transfer_id, :at,
     decode(:request_hash, 'hex'), :idempotency_key)`,
);

async function writeHold(tx: Transaction, step: StepRow, at: Date): Promise<void> {
  const { terms } = step;
  if (!terms) {
    await execute(tx, CHANGE_HOLD, {
      hold_id: step.holdId,
      remaining: step.remaining,
      state: holdStateAfter(step),
      at,
    });
    return;
  }
  await execute(tx, INSERT_HOLD, {
    id: step.id,
    wallet_id: terms.walletId,
    currency_id: terms.currency.id,
    business_id: terms.business.id,
    amount: step.amount,
    expires_at: terms.expiresAt,
    at,
    reference: terms.reference,
    remark: terms.remark,
  });
}

async function writeSteps(tx: Transaction, batch: BatchState): Promise<void> {
  const keys = batch.steps.map(({ idempotencyKey }) => idempotencyKey);
  if (await isAnyRefused(tx, keys))
    throw new ConcurrentPostingError('the key of a step was refused meanwhile');
  for (const step of batch.steps) {
    await execute(tx, INSERT_STEP, {
      id: step.id,
      hold_id: step.holdId,
      kind: step.kind,
      amount: step.amount,
      remaining: step.remaining,
      transfer_id: step.transferId,
      at: batch.createdAt,
      request_hash: step.requestHash,
      idempotency_key: step.idempotencyKey,
    });
    await writeHold(tx, step, batch.createdAt);
  }
}

/** Another transaction that has not ended writes one of these for as long as a request waits. */
const KEYS_IN_FLIGHT = [
  'transfer_idempotency_key',
  'hold_step_idempotency_key',
  'refused_posting_pkey',
];

/** What a failed write means. */
export function toConflict(db: Db, error: unknown): unknown {
  if (KEYS_IN_FLIGHT.some((index) => isIndexLocked(error, index)))
    return failure('idempotency_in_flight', { cause: error, retryAfter_s: 1 });
  const isConflict =
    forgetChanged(db, error) ||
    CONFLICT_CONSTRAINTS.some((constraint) => isUniqueViolation(error, constraint));
  return isConflict ? new ConcurrentPostingError(error) : error;
}

/**
 * Transfers of a batch that follow each other and have the same type of event, as one range each.
 */
export function findEventRanges({
  shard,
  events,
}: Pick<BatchState, 'shard' | 'events'>): NewPostingRange[] {
  const ranges: (NewPostingRange & { transfers: number })[] = [];
  for (const [i, type] of events.entries()) {
    const last = ranges.at(-1);
    const firstTransfer = shard.transfers + i;
    if (last && last.type === type && last.firstTransfer + last.transfers === firstTransfer)
      last.transfers += 1;
    else if (type !== undefined)
      ranges.push({ type, shard: shard.shard, firstTransfer, transfers: 1 });
  }
  return ranges;
}

/**
 * Writes a batch. A conflict that only another try can settle is a serialization failure, which
 * `transaction` tries again.
 */
export async function persistBatch(
  tx: Transaction,
  sealKey: KeyObject,
  batch: BatchState,
): Promise<void> {
  try {
    const { transfers, steps, refusals } = batch;
    if (transfers.length === 0 && steps.length === 0 && refusals.length === 0) return;
    if (refusals.length > 0) await writeRefusals(tx, batch);
    if (steps.length > 0) await writeSteps(tx, batch);
    await inOrder([
      insertBatch(tx, sealKey, batch),
      recordPostingEvents(tx, getLedgerContext(tx).clock, findEventRanges(batch)),
    ]);
  } catch (error) {
    throw toConflict(tx, error);
  }
}
