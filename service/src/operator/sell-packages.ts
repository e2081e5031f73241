/**
 * Sells packages and takes them back: the money moves first, and only what was paid is recorded. Accounts are locked
 * before the totals of the community, here as there, so that purchases and refunds never wait for each other in a circle.
 */
import {
  findPurchasesPaid,
  findRefundPaid,
  lockPurchase,
  type NewPurchase,
  type PaidPurchase,
  type Purchase,
  recordPurchases,
  recordRefund,
} from '../community/index.ts';
import type { Transaction } from '../db/index.ts';
import { findKnownUsers } from '../identity/index.ts';
import {
  type AccountRef,
  type Posting,
  postTransfers,
  type RequestKey,
  refuseKeys,
  toFailure,
} from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { type Failure, failure } from '../lib/failures.ts';

/** The key of the request makes it unique for ever: what is asked again is not sold again. */
export interface Order extends Omit<NewPurchase, 'transferId'>, RequestKey {}

/** A purchase that was paid. */
export interface Sale {
  readonly purchase: Purchase;
  /** It was sold before, under the same key. */
  readonly isAgain: boolean;
}

const SELLER: AccountRef = { house: 'package_sales' };

/** Between the wallet and the house, or, paid outside, within the house. */
function buyerOf({ isExternal, userId }: Pick<Purchase, 'isExternal' | 'userId'>): AccountRef {
  return isExternal ? { house: 'external_sales' } : { userId, wallet: 'asset' };
}

function toPosting(order: Order, eventAt: Date): Posting {
  const { idempotencyKey, requestHash, currency, amount, reference } = order;
  return {
    idempotencyKey,
    requestHash,
    debit: buyerOf(order),
    credit: SELLER,
    currency,
    amount,
    businessId: 'package_purchase',
    eventAt,
    isTimeDefault: true,
    reference,
  };
}

/** What is known of an order before it is posted: it was sold before, or nobody can be charged. */
function findOutcome(
  order: Order,
  known: ReadonlySet<number>,
  paid: ReadonlyMap<string, PaidPurchase>,
): Sale | Failure | undefined {
  const before = paid.get(order.idempotencyKey);
  if (before && before.requestHash !== order.requestHash) return failure('idempotency_key_reused');
  if (before) return { purchase: before.purchase, isAgain: true };
  return known.has(order.userId) ? undefined : failure('unknown_user');
}

/** Posts and records purchases in one batch. @returns in the order of `orders`, each the sale or why it was refused */
export async function sellPackages(
  tx: Transaction,
  clock: Clock,
  orders: readonly Order[],
): Promise<(Sale | Failure)[]> {
  if (orders.length === 0) return [];
  const [known, paid] = await Promise.all([
    findKnownUsers(
      tx,
      orders.map(({ userId }) => userId),
    ),
    findPurchasesPaid(
      tx,
      orders.map(({ idempotencyKey }) => idempotencyKey),
    ),
  ]);
  const outcomes = new Map(orders.map((order) => [order, findOutcome(order, known, paid)]));
  const wanted = orders.filter((order) => !outcomes.get(order));
  await refuseKeys(
    tx,
    orders.flatMap(({ idempotencyKey, requestHash, userId }) =>
      known.has(userId) || paid.has(idempotencyKey)
        ? []
        : { idempotencyKey, requestHash, code: 'unknown_user' as const },
    ),
  );
  const eventAt = clock.now();
  const results = await postTransfers(
    tx,
    wanted.map((order) => toPosting(order, eventAt)),
  );
  const bought: (NewPurchase & { order: Order })[] = [];
  for (const [i, order] of wanted.entries()) {
    const result = results[i];
    if (result?.status === 'posted')
      bought.push({ ...order, order, transferId: result.transferId });
    else if (result?.status === 'refused') outcomes.set(order, toFailure(result));
  }
  const made = await recordPurchases(tx, clock, bought);
  const byTransfer = new Map(made.map((purchase) => [purchase.transferId, purchase]));
  for (const [i, order] of wanted.entries()) {
    const result = results[i];
    const purchase =
      result && result.status !== 'refused' ? byTransfer.get(result.transferId) : undefined;
    // `replayed`: the same request came twice in this batch.
    if (purchase) outcomes.set(order, { purchase, isAgain: result?.status === 'replayed' });
  }
  return orders.map((order) => outcomes.get(order) ?? failure('internal_error'));
}

export interface RefundOrder extends RequestKey {
  readonly purchaseId: number;
  /** In minor units, above 0; default: all that remains. */
  readonly amount?: bigint;
  /** Default: that of the purchase. */
  readonly reference?: string;
}

export interface Refund extends Sale {
  /** The transfer that paid back. */
  readonly transferId: number;
}

/** Pays back some of a purchase. @throws `not_found`, `refund_too_large`, `idempotency_key_reused`, what the ledger refused */
export async function refundPackage(
  tx: Transaction,
  clock: Clock,
  order: RefundOrder,
): Promise<Refund> {
  const { idempotencyKey, requestHash, purchaseId } = order;
  const purchase = await lockPurchase(tx, purchaseId);
  const before = await findRefundPaid(tx, idempotencyKey);
  if (before && before.requestHash !== requestHash) throw failure('idempotency_key_reused');
  if (before)
    return {
      purchase: { ...purchase, refunded: before.refunded },
      transferId: before.transferId,
      isAgain: true,
    };
  const remains = purchase.amount - purchase.refunded;
  const { amount = remains, reference = purchase.reference } = order;
  if (remains === 0n || amount > remains) throw failure('refund_too_large');
  const { currency } = purchase;
  const [result] = await postTransfers(tx, [
    {
      idempotencyKey,
      requestHash,
      debit: SELLER,
      credit: buyerOf(purchase),
      currency,
      amount,
      businessId: 'package_refund',
      eventAt: clock.now(),
      reference,
      isCorrection: true,
    },
  ]);
  if (result?.status !== 'posted')
    throw result?.status === 'refused' ? toFailure(result) : failure('internal_error');
  const { transferId } = result;
  return {
    purchase: await recordRefund(tx, clock, { transferId, purchase, amount, reference }),
    transferId,
    isAgain: false,
  };
}
