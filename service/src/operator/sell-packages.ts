/**
 * Sells packages and takes them back: the money moves first, and only what was paid is recorded. Accounts are locked
 * before the totals of the community, here as there, so that purchases and refunds never wait for each other in a circle.
 */
import { findPurchasesPaid, findRefundPaid, lockPurchase, type NewPurchase, type Purchase, recordPurchases, recordRefund } from '../community/index.ts';
import type { Transaction } from '../db/index.ts';
import { findKnownUsers } from '../identity/index.ts';
import { type AccountRef, type Posting, postTransfers, refuseNames } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { type Failure, failure } from '../lib/failures.ts';

export interface Order extends Omit<NewPurchase, 'transferId'> {
  /** Of the caller and its key, unique for ever: what is asked again is not sold again. */
  readonly idem: string;
}

/** What became of an order. */
export interface Sale {
  readonly purchase: Purchase;
  /** It was sold before, under the same name. */
  readonly isAgain: boolean;
}

const SELLER: AccountRef = { house: 'package_sales' };

/** Between the wallet and the house, or, paid outside, within the house. */
function buyerOf({ isExternal, userId }: Pick<Purchase, 'isExternal' | 'userId'>): AccountRef {
  return isExternal ? { house: 'external_sales' } : { userId, wallet: 'asset' };
}

function toPosting(order: Order, eventAt: Date): Posting {
  const { idem, currency, amount, reference } = order;
  return { idem, debit: buyerOf(order), credit: SELLER, currency, amount, businessId: 'package_purchase', eventAt, isTimeDefault: true, reference };
}

const SAID = ['userId', 'currency', 'amount', 'reference', 'isExternal'] as const;

/** What is known of an order before it is posted. */
function foresee(order: Order, known: ReadonlySet<number>, paid: ReadonlyMap<string, Purchase>): Sale | Failure | undefined {
  const before = paid.get(order.idem);
  if (before) return SAID.every((field) => order[field] === before[field]) ? { purchase: before, isAgain: true } : failure('idempotency_key_reused');
  return known.has(order.userId) ? undefined : failure('unknown_user');
}

/** Posts and records purchases in one batch. @returns in the order of `orders`, each the sale or why it was refused */
export async function sellPackages(tx: Transaction, clock: Clock, orders: readonly Order[]): Promise<(Sale | Failure)[]> {
  if (orders.length === 0) return [];
  const [known, paid] = await Promise.all([
    findKnownUsers(
      tx,
      orders.map(({ userId }) => userId),
    ),
    findPurchasesPaid(
      tx,
      orders.map(({ idem }) => idem),
    ),
  ]);
  const fates = new Map(orders.map((order) => [order, foresee(order, known, paid)]));
  const wanted = orders.filter((order) => !fates.get(order));
  await refuseNames(
    tx,
    orders.flatMap(({ idem, userId }) => (known.has(userId) || paid.has(idem) ? [] : { idem, code: 'unknown_user' })),
  );
  const eventAt = clock.now();
  const results = await postTransfers(
    tx,
    wanted.map((order) => toPosting(order, eventAt)),
  );
  const bought: (NewPurchase & { order: Order })[] = [];
  for (const [i, order] of wanted.entries()) {
    const result = results[i];
    if (result?.status === 'posted') bought.push({ ...order, order, transferId: result.transferId });
    else fates.set(order, failure(result?.status === 'refused' ? result.code : 'internal_error'));
  }
  const made = await recordPurchases(tx, clock, bought);
  for (const [i, { order }] of bought.entries()) {
    const purchase = made[i];
    if (purchase) fates.set(order, { purchase, isAgain: false });
  }
  return orders.map((order) => fates.get(order) ?? failure('internal_error'));
}

export interface RefundOrder {
  /** Of the caller and its key, unique for ever. */
  readonly idem: string;
  readonly purchaseId: number;
  /** In minor units, above 0; default: all that remains. */
  readonly amount?: bigint;
  /** Default: that of the purchase. */
  readonly reference?: string;
}

/** Pays back some of a purchase. @throws `not_found`, `refund_too_large`, `idempotency_key_reused`, what the ledger refused */
export async function refundPackage(tx: Transaction, clock: Clock, order: RefundOrder): Promise<Sale> {
  const { idem, purchaseId } = order;
  const purchase = await lockPurchase(tx, purchaseId);
  const before = await findRefundPaid(tx, idem);
  if (before) {
    if (before.purchaseId !== purchaseId || before.amount !== (order.amount ?? before.amount)) throw failure('idempotency_key_reused');
    return { purchase, isAgain: true };
  }
  const remains = purchase.amount - purchase.refunded;
  const { amount = remains, reference = purchase.reference } = order;
  if (remains === 0n || amount > remains) throw failure('refund_too_large');
  const { currency } = purchase;
  const time = { eventAt: clock.now(), isTimeDefault: true } as const;
  const [result] = await postTransfers(tx, [
    { idem, debit: SELLER, credit: buyerOf(purchase), currency, amount, businessId: 'package_refund', ...time, reference, isCorrection: true },
  ]);
  if (result?.status !== 'posted') throw failure(result?.status === 'refused' ? result.code : 'internal_error');
  return { purchase: await recordRefund(tx, clock, { transferId: result.transferId, purchase, amount, reference }), isAgain: false };
}
