/** Packages bought without the money that pays for them: for tests of what follows from a purchase. */
import { drawPurchaseIds, drawRefundId, lockPurchase, type NewPurchase, recordPurchases, recordRefund } from '../../src/community/index.ts';
import { type Db, transaction } from '../../src/db/index.ts';
import type { Clock } from '../../src/lib/clock.ts';

/** @returns the number of the purchase */
export async function insertPurchase(db: Db, clock: Clock, userId: number, amount: bigint, reference = 'order'): Promise<number> {
  return transaction(db, async (tx) => {
    const [purchaseId = 0] = await drawPurchaseIds(tx, 1);
    const purchase: NewPurchase = { purchaseId, userId, currency: 'EDGE', amount, reference, isExternal: true };
    await recordPurchases(tx, clock, [purchase]);
    return purchaseId;
  });
}

export async function insertRefund(db: Db, clock: Clock, purchaseId: number, amount: bigint): Promise<void> {
  await transaction(db, async (tx) => {
    const purchase = await lockPurchase(tx, purchaseId);
    await recordRefund(tx, clock, { refundId: await drawRefundId(tx), purchase, amount, reference: 'order' });
  });
}
