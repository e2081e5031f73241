import type { Db } from '../db/index.ts';

/** The purchase that a transfer has paid, or paid back. */
export async function findPurchaseOf(db: Db, transferId: number): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>(
    `select id from package_purchase where transfer_id = $1
     union all select purchase_id from package_refund where transfer_id = $1`,
    [transferId],
  );
  return rows[0]?.id;
}
