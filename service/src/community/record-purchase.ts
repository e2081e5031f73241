/** Packages that a person bought, and what was refunded of them. The money itself is posted by the caller. */
import type { Db, Transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import { enqueue } from './enqueue.ts';

export interface Purchase {
  readonly purchaseId: number;
  readonly userId: number;
  readonly currency: string;
  readonly amount: bigint;
  readonly refunded: bigint;
  readonly reference: string;
  /** Paid outside: no wallet of the person took part. */
  readonly isExternal: boolean;
  readonly createdAt: Date;
}

export interface NewPurchase {
  readonly userId: number;
  readonly currency: string;
  readonly amount: bigint;
  readonly reference: string;
  readonly isExternal: boolean;
}

interface PurchaseRow {
  readonly id: number;
  readonly user_id: number;
  readonly currency: string;
  readonly amount: string;
  readonly refunded: string;
  readonly reference: string;
  readonly is_external: boolean;
  readonly created_at: Date;
}

const COLUMNS = 'id, user_id, currency, amount, refunded, reference, is_external, created_at';

function toPurchase(row: PurchaseRow | undefined): Purchase {
  if (!row) throw failure('not_found', { detail: 'There is no such purchase.' });
  return {
    purchaseId: row.id,
    userId: row.user_id,
    currency: row.currency,
    amount: BigInt(row.amount),
    refunded: BigInt(row.refunded),
    reference: row.reference,
    isExternal: row.is_external,
    createdAt: row.created_at,
  };
}

/** The member's own total at once; the totals of everybody above through the queue. */
async function addAmount(tx: Transaction, userId: number, amount: bigint): Promise<void> {
  await tx.prepared(
    'community-add-amount',
    `insert into community_purchase_total (user_id, amount) values ($1, $2)
     on conflict (user_id) do update set amount = community_purchase_total.amount + excluded.amount`,
    [userId, amount.toString()],
  );
  await enqueue(tx, { kind: 'amount', userId, amount });
}

/** Records a purchase of a person who exists. */
export async function recordPurchase(tx: Transaction, clock: Clock, purchase: NewPurchase): Promise<Purchase> {
  const { userId, currency, amount, reference, isExternal } = purchase;
  const { rows } = await tx.prepared<PurchaseRow>(
    'community-record-purchase',
    `insert into package_purchase (user_id, currency, amount, reference, is_external, created_at) values ($1, $2, $3, $4, $5, $6) returning ${COLUMNS}`,
    [userId, currency, amount.toString(), reference, isExternal, clock.now()],
  );
  await addAmount(tx, userId, amount);
  return toPurchase(rows[0]);
}

/** Finds a purchase and locks it, so that refunds of it take turns. @throws `not_found` */
export async function lockPurchase(tx: Transaction, purchaseId: number): Promise<Purchase> {
  const { rows } = await tx.query<PurchaseRow>(`select ${COLUMNS} from package_purchase where id = $1 for update`, [purchaseId]);
  return toPurchase(rows[0]);
}

/** @throws `not_found` */
export async function findPurchase(db: Db, purchaseId: number): Promise<Purchase> {
  const { rows } = await db.query<PurchaseRow>(`select ${COLUMNS} from package_purchase where id = $1`, [purchaseId]);
  return toPurchase(rows[0]);
}

export interface Refund {
  readonly refundId: number;
  readonly purchase: Purchase;
}

/** Records the refund of a purchase, whole or in part. @throws `refund_too_large` when less than that remains */
export async function recordRefund(tx: Transaction, clock: Clock, purchase: Purchase, amount: bigint, reference: string): Promise<Refund> {
  const { rows } = await tx.query<PurchaseRow>(
    `update package_purchase set refunded = refunded + $2::numeric where id = $1 and refunded + $2::numeric <= amount returning ${COLUMNS}`,
    [purchase.purchaseId, amount.toString()],
  );
  if (!rows[0]) throw failure('refund_too_large');
  const refund = await tx.query<{ id: number }>(
    'insert into package_refund (purchase_id, amount, reference, created_at) values ($1, $2, $3, $4) returning id',
    [purchase.purchaseId, amount.toString(), reference, clock.now()],
  );
  await addAmount(tx, purchase.userId, -amount);
  return { refundId: refund.rows[0]?.id ?? 0, purchase: toPurchase(rows[0]) };
}
