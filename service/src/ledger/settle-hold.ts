import { type Db, type Transaction, transaction } from '../db/index.ts';
import type { FailureCode } from '../lib/failures.ts';
import { applyPosting, type ResolvedPosting, validatePosting } from './apply-posting.ts';
import { type AccountState, addStep, type BatchState } from './batch-state.ts';
import {
  checkOpen,
  findHold,
  findStep,
  type Hold,
  type HoldResult,
  openAccountBatch,
  releaseRest,
  restKey,
} from './holds.ts';
import { getLedgerContext } from './ledger-context.ts';
import { persistBatch } from './persist-batch.ts';
import { type ReferenceData, referenceOf } from './reference-data.ts';
import { toRefusal } from './refused-keys.ts';
import { hashRequestFields } from './resolve-postings.ts';
import type { AccountRef } from './types.ts';

export interface SettleHold {
  /** Idempotency key, unique in the ledger. */
  readonly idempotencyKey: string;
  /** Hash of the request. Default: of the fields below. */
  readonly requestHash?: string;
  readonly holdId: number;
  /** Default: all that remains. */
  readonly amount?: bigint;
  /** Where the money goes. */
  readonly credit: AccountRef;
  readonly eventAt: Date;
  /** Gives back what remains after this part. Default: it stays held. */
  readonly releaseRest?: boolean;
  readonly remark?: string;
}

function hashOrder({
  requestHash,
  holdId,
  amount,
  credit,
  releaseRest: isRestReleased,
  remark,
}: SettleHold): string {
  return (
    requestHash ??
    hashRequestFields(['settle', holdId, amount, credit, isRestReleased === true, remark])
  );
}

interface Payment {
  readonly hold: Hold;
  readonly order: SettleHold;
  readonly requestHash: string;
  readonly debit: AccountState;
  readonly credit: AccountState;
}

function resolve(
  reference: ReferenceData,
  { hold, order, requestHash, debit, credit }: Payment,
): ResolvedPosting {
  const business = reference.businesses.get(hold.businessId);
  if (!business) throw new Error(`the transaction type ${hold.businessId} does not exist`);
  const remark = order.remark ?? hold.remark;
  return {
    debit,
    credit,
    business,
    requestHash,
    currency: hold.currency,
    holdId: hold.id,
    posting: {
      idempotencyKey: order.idempotencyKey,
      amount: order.amount ?? hold.remaining,
      eventAt: order.eventAt,
      ...(hold.reference !== null && { reference: hold.reference }),
      ...(remark !== null && { remark }),
    },
  };
}

/** Pays out a part of a hold; returns its transfer, or why it is refused. */
function settle(
  batch: BatchState,
  reference: ReferenceData,
  payment: Payment,
): number | FailureCode {
  const { hold, order, requestHash, debit } = payment;
  const resolved = resolve(reference, payment);
  const { idempotencyKey, amount } = resolved.posting;
  if (amount > hold.remaining) return 'hold_too_small';
  const code = validatePosting(resolved);
  if (code) return code;
  const transferId = applyPosting(batch, resolved);
  const remaining = hold.remaining - amount;
  addStep(batch, {
    kind: 'settle',
    holdId: hold.id,
    amount,
    remaining,
    transferId,
    idempotencyKey,
    requestHash,
    terms: null,
  });
  if (remaining > 0n && order.releaseRest) {
    releaseRest(
      batch,
      debit,
      { ...hold, remaining },
      { kind: 'cancel', idempotencyKey: restKey(idempotencyKey), requestHash },
    );
  }
  return transferId;
}

async function settleIn(tx: Transaction, order: SettleHold): Promise<HoldResult> {
  const { sealKey, clock } = getLedgerContext(tx);
  const asked = await findHold(tx, order.holdId);
  if (!asked) return toRefusal('not_found');
  const requestHash = hashOrder(order);
  const owner = { userId: asked.userId, wallet: asked.wallet };
  const { batch, accounts } = await openAccountBatch(tx, asked.currency, [owner, order.credit]);
  const before = await findStep(tx, { idempotencyKey: order.idempotencyKey, requestHash });
  if (before) return before;
  // Read again under the lock of the account: another step may have come first.
  const hold = await findHold(tx, order.holdId);
  const reference = await referenceOf(tx, { businesses: [asked.businessId] });
  const [debit, credit] = accounts;
  if (!hold || !debit || !credit) return toRefusal('not_found');
  const outcome =
    checkOpen(hold, clock.now()) ??
    settle(batch, reference, { hold, order, requestHash, debit, credit });
  if (typeof outcome === 'string') return toRefusal(outcome);
  await persistBatch(tx, sealKey, batch);
  return { status: 'done', hold: (await findHold(tx, order.holdId)) ?? hold, transferId: outcome };
}

/** Turns a hold, or a part of it, into a transfer. */
export async function settleHold(db: Db, order: SettleHold): Promise<HoldResult> {
  return transaction(db, (tx) => settleIn(tx, order));
}
