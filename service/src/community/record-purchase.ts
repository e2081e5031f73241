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
  /** From `drawPurchaseIds`. */
  readonly purchaseId: number;
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

/** Draws the numbers of purchases to come: their postings are named by them, and come first. A number may stay unused. */
export async function drawPurchaseIds(tx: Transaction, count: number): Promise<number[]> {
  const { rows } = await tx.prepared<{ id: number }>(
    'community-draw-purchases',
    "select nextval(pg_get_serial_sequence('package_purchase', 'id')) as id from generate_series(1, $1)",
    [count],
  );
  return rows.map(({ id }) => id);
}

/** Draws the number of a refund to come. */
export async function drawRefundId(tx: Transaction): Promise<number> {
  const { rows } = await tx.query<{ id: number }>("select nextval(pg_get_serial_sequence('package_refund', 'id')) as id");
  return rows[0]?.id ?? 0;
}

// Totals in the order of people: two that write the same ones never wait for each other in a circle.
const RECORD = `with item as (
    select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::numeric[], $5::text[], $6::boolean[]) i (id, user_id, currency, amount, reference, is_external)
  ), total as (
    insert into community_purchase_total as t (user_id, amount) select user_id, sum(amount) from item group by user_id order by user_id
    on conflict (user_id) do update set amount = t.amount + excluded.amount
  )
  insert into package_purchase (id, user_id, currency, amount, reference, is_external, created_at) overriding system value
  select id, user_id, currency, amount, reference, is_external, $7 from item`;

/** Records purchases of people who exist: the members' own totals at once, those of everybody above through the queue. */
export async function recordPurchases(tx: Transaction, clock: Clock, purchases: readonly NewPurchase[]): Promise<Purchase[]> {
  if (purchases.length === 0) return [];
  const createdAt = clock.now();
  const recorded = tx.prepared('community-record-purchases', RECORD, [
    purchases.map((one) => one.purchaseId),
    purchases.map((one) => one.userId),
    purchases.map((one) => one.currency),
    purchases.map((one) => one.amount.toString()),
    purchases.map((one) => one.reference),
    purchases.map((one) => one.isExternal),
    createdAt,
  ]);
  await Promise.all([
    recorded,
    enqueue(
      tx,
      purchases.map(({ userId, amount }) => ({ kind: 'amount', userId, amount })),
    ),
  ]);
  return purchases.map((one) => ({ ...one, refunded: 0n, createdAt }));
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

export interface NewRefund {
  /** From `drawRefundId`. */
  readonly refundId: number;
  readonly purchase: Purchase;
  readonly amount: bigint;
  readonly reference: string;
}

/** Records the refund of a purchase, whole or in part; answers the purchase after it. @throws `refund_too_large` when less than that remains */
export async function recordRefund(tx: Transaction, clock: Clock, { refundId, purchase, amount, reference }: NewRefund): Promise<Purchase> {
  const { rows } = await tx.query<PurchaseRow>(
    `update package_purchase set refunded = refunded + $2::numeric where id = $1 and refunded + $2::numeric <= amount returning ${COLUMNS}`,
    [purchase.purchaseId, amount.toString()],
  );
  if (!rows[0]) throw failure('refund_too_large');
  await tx.query('insert into package_refund (id, purchase_id, amount, reference, created_at) overriding system value values ($1, $2, $3, $4, $5)', [
    refundId,
    purchase.purchaseId,
    amount.toString(),
    reference,
    clock.now(),
  ]);
  await tx.query('update community_purchase_total set amount = amount - $2::numeric where user_id = $1', [purchase.userId, amount.toString()]);
  await enqueue(tx, [{ kind: 'amount', userId: purchase.userId, amount: -amount }]);
  return toPurchase(rows[0]);
}
