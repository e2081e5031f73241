import { type Db, queryNamed } from '../db/index.ts';
import {
  PURCHASE_COLUMNS,
  type Purchase,
  type PurchaseRow,
  toPurchase,
} from './record-purchase.ts';

interface PurchasePage {
  /** Only those of this person. */
  readonly userId?: number | undefined;
  /** Only those that were recorded before this one. */
  readonly before?: number | undefined;
  readonly size: number;
}

/** Purchases, those that were recorded last first. */
export async function listPurchases(
  db: Db,
  { userId, before = Number.MAX_SAFE_INTEGER, size }: PurchasePage,
): Promise<Purchase[]> {
  const ofUser = userId === undefined ? '' : 'user_id = :user_id and';
  const { rows } = await queryNamed<PurchaseRow>(
    db,
    `select ${PURCHASE_COLUMNS} from package_purchase where ${ofUser} id < :before
      order by id desc limit :size`,
    { ...(userId !== undefined && { user_id: userId }), before, size },
  );
  return rows.map(toPurchase);
}
