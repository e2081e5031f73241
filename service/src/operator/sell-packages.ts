/**
 * Sells packages and takes them back: the money moves first, and only what was paid is recorded. Accounts are locked
 * before the totals of the community, here as there, so that purchases and refunds never wait for each other in a circle.
 */
import { drawPurchaseIds, drawRefundId, type NewPurchase, type Purchase, recordPurchases, recordRefund } from '../community/index.ts';
import type { Transaction } from '../db/index.ts';
import { findKnownUsers } from '../identity/index.ts';
import { type AccountRef, type Posting, postTransfers } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { type Failure, failure } from '../lib/failures.ts';

export type Order = Omit<NewPurchase, 'purchaseId'>;

const SELLER: AccountRef = { house: 'package_sales' };

/** Between the wallet and the house, or, paid outside, within the house. */
function buyerOf({ isExternal, userId }: Order): AccountRef {
  return isExternal ? { house: 'external_sales' } : { userId, wallet: 'asset' };
}

function toSale(purchase: NewPurchase, eventAt: Date): Posting {
  const { purchaseId, currency, amount, reference } = purchase;
  return { idem: `purchase/${purchaseId}`, debit: buyerOf(purchase), credit: SELLER, currency, amount, businessId: 'package_purchase', eventAt, reference };
}

/** Posts and records purchases in one batch. @returns in the order of `orders`, each the purchase or why it was refused */
export async function sellPackages(tx: Transaction, clock: Clock, orders: readonly Order[]): Promise<(Purchase | Failure)[]> {
  if (orders.length === 0) return [];
  const [known, ids] = await Promise.all([
    findKnownUsers(
      tx,
      orders.map(({ userId }) => userId),
    ),
    drawPurchaseIds(tx, orders.length),
  ]);
  const wanted = orders.flatMap((order, i) => (known.has(order.userId) ? [{ ...order, purchaseId: ids[i] ?? 0 }] : []));
  const eventAt = clock.now();
  const results = await postTransfers(
    tx,
    wanted.map((purchase) => toSale(purchase, eventAt)),
  );
  const refused = new Map(wanted.flatMap(({ purchaseId }, i) => (results[i]?.status === 'refused' ? [[purchaseId, results[i].code]] : [])));
  const made = await recordPurchases(
    tx,
    clock,
    wanted.filter(({ purchaseId }) => !refused.has(purchaseId)),
  );
  const byId = new Map(made.map((purchase) => [purchase.purchaseId, purchase]));
  return orders.map(({ userId }, i) => {
    const purchaseId = ids[i] ?? 0;
    return byId.get(purchaseId) ?? failure(known.has(userId) ? (refused.get(purchaseId) ?? 'internal_error') : 'unknown_user');
  });
}

/** Pays back some of a locked purchase. @returns the purchase after it @throws what the ledger refused, `refund_too_large` */
export async function refundPackage(tx: Transaction, clock: Clock, purchase: Purchase, amount: bigint, reference: string): Promise<Purchase> {
  const refundId = await drawRefundId(tx);
  const [result] = await postTransfers(tx, [
    {
      idem: `purchase-refund/${refundId}`,
      debit: SELLER,
      credit: buyerOf(purchase),
      currency: purchase.currency,
      amount,
      businessId: 'package_refund',
      eventAt: clock.now(),
      reference,
    },
  ]);
  if (!result || result.status === 'refused') throw failure(result?.code ?? 'internal_error');
  return recordRefund(tx, clock, { refundId, purchase, amount, reference });
}
