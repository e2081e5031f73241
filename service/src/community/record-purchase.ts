/** Packages that a person bought, and what was refunded of them. The money itself is posted by the caller. */
import type { Db, Transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import { enqueue } from './enqueue-event.ts';

export interface Purchase {
  readonly purchaseId: number;
  /** The transfer that paid for it. */
  readonly transferId: number;
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
  /** What paid for it. */
  readonly transferId: number;
  readonly userId: number;
  readonly currency: string;
  readonly amount: bigint;
  readonly reference: string;
  readonly isExternal: boolean;
}

interface PurchaseRow {
  readonly id: number;
  readonly transfer_id: number;
  readonly user_id: number;
  readonly currency: string;
  readonly amount: string;
  readonly refunded: string;
  readonly reference: string;
  readonly is_external: boolean;
  readonly created_at: Date;
}

const COLUMNS =
  'id, transfer_id, user_id, currency, amount, refunded, reference, is_external, created_at';

function toPurchase(row: PurchaseRow | undefined): Purchase {
  if (!row) throw failure('not_found', { detail: 'There is no such purchase.' });
  return {
    purchaseId: row.id,
    transferId: row.transfer_id,
    userId: row.user_id,
    currency: row.currency,
    amount: BigInt(row.amount),
    refunded: BigInt(row.refunded),
    reference: row.reference,
    isExternal: row.is_external,
    createdAt: row.created_at,
  };
}

// Totals in the order of people: two that write the same ones never wait for each other in a circle.
const RECORD = `with item as (
    select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::numeric[], $5::text[], $6::boolean[])
      i (transfer_id, user_id, currency, amount, reference, is_external)
  ), total as (
    insert into community_purchase_total as t (user_id, amount) select user_id, sum(amount) from item group by user_id order by user_id
    on conflict (user_id) do update set amount = t.amount + excluded.amount
  )
  insert into package_purchase (transfer_id, user_id, currency, amount, reference, is_external, created_at)
  select transfer_id, user_id, currency, amount, reference, is_external, $7 from item
  returning ${COLUMNS}`;

/** Records purchases of people who exist, each once it was paid: their own totals at once, those of everybody above through the queue. */
export async function recordPurchases(
  tx: Transaction,
  clock: Clock,
  purchases: readonly NewPurchase[],
): Promise<Purchase[]> {
  if (purchases.length === 0) return [];
  const [{ rows }] = await Promise.all([
    tx.prepared<PurchaseRow>('community-record-purchases', RECORD, [
      purchases.map((one) => one.transferId),
      purchases.map((one) => one.userId),
      purchases.map((one) => one.currency),
      purchases.map((one) => one.amount.toString()),
      purchases.map((one) => one.reference),
      purchases.map((one) => one.isExternal),
      clock.now(),
    ]),
    enqueue(
      tx,
      purchases.map(({ userId, amount }) => ({ kind: 'amount', userId, amount })),
    ),
  ]);
  const byTransfer = new Map(rows.map((row) => [row.transfer_id, row]));
  return purchases.map(({ transferId }) => toPurchase(byTransfer.get(transferId)));
}

/** A purchase as it was when it was paid, and the hash of the request that paid it. */
export interface PaidPurchase {
  readonly purchase: Purchase;
  readonly requestHash: string;
}

const FIND_PAID = `select p.*, t.idempotency_key, encode(t.request_hash, 'hex') as request_hash
  from transfer t join package_purchase p on p.transfer_id = t.id where t.idempotency_key = any($1::text[])`;

/** Purchases by the keys of the postings that paid for them, without what was refunded since. */
export async function findPurchasesPaid(
  db: Db,
  idempotencyKeys: readonly string[],
): Promise<Map<string, PaidPurchase>> {
  const { rows } = await db.prepared<
    PurchaseRow & { idempotency_key: string; request_hash: string }
  >('community-find-paid', FIND_PAID, [idempotencyKeys]);
  return new Map(
    rows.map((row) => [
      row.idempotency_key,
      { purchase: { ...toPurchase(row), refunded: 0n }, requestHash: row.request_hash },
    ]),
  );
}

/** A refund that was paid. */
export interface PaidRefund {
  readonly purchaseId: number;
  readonly transferId: number;
  /** What was refunded of the purchase, up to and with this refund. */
  readonly refunded: bigint;
  readonly requestHash: string;
}

const FIND_REFUND = `select r.purchase_id, r.transfer_id, encode(t.request_hash, 'hex') as request_hash,
    (select sum(b.amount) from package_refund b where b.purchase_id = r.purchase_id and b.id <= r.id) as refunded
  from transfer t join package_refund r on r.transfer_id = t.id where t.idempotency_key = $1`;

/** The refund that was paid by the posting under that key. */
export async function findRefundPaid(
  db: Db,
  idempotencyKey: string,
): Promise<PaidRefund | undefined> {
  const { rows } = await db.query<{
    purchase_id: number;
    transfer_id: number;
    request_hash: string;
    refunded: string;
  }>(FIND_REFUND, [idempotencyKey]);
  const [row] = rows;
  if (!row) return undefined;
  return {
    purchaseId: row.purchase_id,
    transferId: row.transfer_id,
    refunded: BigInt(row.refunded),
    requestHash: row.request_hash,
  };
}

/** Finds a purchase and locks it, so that refunds of it take turns. @throws `not_found` */
export async function lockPurchase(tx: Transaction, purchaseId: number): Promise<Purchase> {
  const { rows } = await tx.query<PurchaseRow>(
    `select ${COLUMNS} from package_purchase where id = $1 for update`,
    [purchaseId],
  );
  return toPurchase(rows[0]);
}

/** @throws `not_found` */
export async function findPurchase(db: Db, purchaseId: number): Promise<Purchase> {
  const { rows } = await db.query<PurchaseRow>(
    `select ${COLUMNS} from package_purchase where id = $1`,
    [purchaseId],
  );
  return toPurchase(rows[0]);
}

export interface NewRefund {
  /** What paid it back. */
  readonly transferId: number;
  readonly purchase: Purchase;
  readonly amount: bigint;
  readonly reference: string;
}

/** Records the refund of a purchase, whole or in part; answers the purchase after it. @throws `refund_too_large` when less than that remains */
export async function recordRefund(
  tx: Transaction,
  clock: Clock,
  { transferId, purchase, amount, reference }: NewRefund,
): Promise<Purchase> {
  const { rows } = await tx.query<PurchaseRow>(
    `update package_purchase set refunded = refunded + $2::numeric where id = $1 and refunded + $2::numeric <= amount returning ${COLUMNS}`,
    [purchase.purchaseId, amount.toString()],
  );
  if (!rows[0]) throw failure('refund_too_large');
  await tx.query(
    'insert into package_refund (transfer_id, purchase_id, amount, reference, created_at) values ($1, $2, $3, $4, $5)',
    [transferId, purchase.purchaseId, amount.toString(), reference, clock.now()],
  );
  await tx.query(
    'update community_purchase_total set amount = amount - $2::numeric where user_id = $1',
    [purchase.userId, amount.toString()],
  );
  await enqueue(tx, [{ kind: 'amount', userId: purchase.userId, amount: -amount }]);
  return toPurchase(rows[0]);
}
