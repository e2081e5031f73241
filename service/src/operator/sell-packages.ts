/**
 * Sells packages and takes them back: the money moves first, and only what was paid is recorded.
 * Purchases and refunds lock accounts before the totals of the community, which prevents deadlocks.
 */
import {
  findPurchasesPaid,
  findRefundPaid,
  lockPurchase,
  type NewPurchase,
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
  type RefusedPosting,
  type RequestKey,
  toFailure,
  toRefusedPosting,
} from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { type Failure, failure } from '../lib/failures.ts';

/** The key of the request is unique for ever: a repeated request sells nothing again. */
export interface Order extends Omit<NewPurchase, 'transferId'>, RequestKey {}

/** A purchase that was paid. */
export interface Sale {
  readonly purchase: Purchase;
  /** It was sold before, under the same key. */
  readonly isReplay: boolean;
}

const SELLER: AccountRef = { house: 'package_sales' };

/** Between the wallet and the house, or, paid outside, within the house. */
function resolveBuyer({ isExternal, userId }: Pick<Purchase, 'isExternal' | 'userId'>): AccountRef {
  return isExternal ? { house: 'external_sales' } : { userId, wallet: 'asset' };
}

function toPosting(order: Order, eventAt: Date, isUserKnown: boolean): Posting | RefusedPosting {
  if (!isUserKnown) return toRefusedPosting(order, failure('unknown_user'));
  const { idempotencyKey, requestHash, currency, amount, reference } = order;
  return {
    idempotencyKey,
    requestHash,
    debit: resolveBuyer(order),
    credit: SELLER,
    currency,
    amount,
    businessId: 'package_purchase',
    eventAt,
    isTimeDefault: true,
    reference,
  };
}

type Outcomes = Map<Order, Sale | Failure | undefined>;

/** The sales of the same orders before, if any. */
async function findSales(tx: Transaction, orders: readonly Order[]): Promise<Outcomes> {
  if (orders.length === 0) return new Map();
  const keys = orders.map(({ idempotencyKey }) => idempotencyKey);
  const paid = await findPurchasesPaid(tx, keys);
  const toSale = ({ idempotencyKey, requestHash }: Order): Sale | Failure | undefined => {
    const before = paid.get(idempotencyKey);
    if (before && before.requestHash !== requestHash) return failure('idempotency_key_reused');
    return before && { purchase: before.purchase, isReplay: true };
  };
  return new Map(orders.map((order) => [order, toSale(order)]));
}

/**
 * Posts and records purchases in one batch. @returns in the order of `orders`, each the sale or why
 * it was refused
 */
export async function sellPackages(
  tx: Transaction,
  clock: Clock,
  orders: readonly Order[],
): Promise<(Sale | Failure)[]> {
  if (orders.length === 0) return [];
  const [known, outcomes] = await Promise.all([
    findKnownUsers(
      tx,
      orders.map(({ userId }) => userId),
    ),
    findSales(tx, orders),
  ]);
  const newOrders = orders.filter((order) => !outcomes.get(order));
  const eventAt = clock.now();
  const results = await postTransfers(
    tx,
    newOrders.map((order) => toPosting(order, eventAt, known.has(order.userId))),
  );
  const paidOrders = newOrders.flatMap((order, i) => {
    const result = results[i];
    return result?.status === 'posted' ? { ...order, transferId: result.transferId } : [];
  });
  const recorded = await recordPurchases(tx, clock, paidOrders);
  const byTransfer = new Map(recorded.map((purchase) => [purchase.transferId, purchase]));
  // The same order came twice in this batch, or another instance has sold it meanwhile.
  const replayed = newOrders.filter((_order, i) => results[i]?.status === 'replayed');
  const sold = await findSales(tx, replayed);
  for (const [i, order] of newOrders.entries()) {
    const result = results[i];
    const purchase = result?.status === 'posted' && byTransfer.get(result.transferId);
    if (result?.status === 'refused') outcomes.set(order, toFailure(result));
    else outcomes.set(order, purchase ? { purchase, isReplay: false } : sold.get(order));
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

/**
 * Pays back some of a purchase. @throws `not_found`, `refund_too_large`, `idempotency_key_reused`,
 * what the ledger refused
 */
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
      isReplay: true,
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
      credit: resolveBuyer(purchase),
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
    isReplay: false,
  };
}
