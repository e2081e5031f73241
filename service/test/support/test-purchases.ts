/**
 * Externally paid packages, through the ledger: for tests of the effects of a purchase.
 */
import type { Purchase } from '../../src/community/index.ts';
import { type Db, transaction } from '../../src/db/index.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { Failure } from '../../src/lib/failures.ts';
import { type Order, refundPackage, sellPackages } from '../../src/operator/index.ts';

let made = 0;
const REQUEST_HASH = '0'.repeat(32);

export async function insertPurchase(
  db: Db,
  clock: Clock,
  userId: number,
  amount: bigint,
): Promise<Purchase> {
  const order: Order = {
    idempotencyKey: `purchase:test:${++made}`,
    requestHash: REQUEST_HASH,
    userId,
    currency: 'EDGE',
    amount,
    reference: 'order',
    isExternal: true,
  };
  const [sale] = await transaction(db, (tx) => sellPackages(tx, clock, [order]));
  if (!sale || sale instanceof Failure) throw sale ?? new Error('nothing was sold');
  return sale.purchase;
}

export async function insertRefund(
  db: Db,
  clock: Clock,
  purchaseId: number,
  amount: bigint,
): Promise<void> {
  await transaction(db, (tx) =>
    refundPackage(tx, clock, {
      idempotencyKey: `purchase-refund:test:${++made}`,
      requestHash: REQUEST_HASH,
      purchaseId,
      amount,
    }),
  );
}
