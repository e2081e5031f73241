/** Packages that users bought, and their refunds. The caller posts the money. */
import { type Db, defineStatement, execute, queryNamed, type Transaction } from '../db/index.ts';
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
  /** Paid externally, not from a wallet of the user. */
  readonly isExternal: boolean;
  readonly createdAt: Date;
}

export interface NewPurchase {
  /** The transfer that paid for it. */
  readonly transferId: number;
  readonly userId: number;
  readonly currency: string;
  readonly amount: bigint;
  readonly reference: string;
  readonly isExternal: boolean;
  /** Default: now. */
  readonly createdAt?: Date;
}

/** A purchase as it is stored. */
export interface PurchaseRow {
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

export const PURCHASE_COLUMNS =
  'id, transfer_id, user_id, currency, amount, refunded, reference, is_external, created_at';

/** @throws `not_found` without a row */
export function toPurchase(row: PurchaseRow | undefined): Purchase {
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

/** Totals are locked in the order of users, which prevents deadlocks. */
const RECORD_PURCHASES = defineStatement(
  'community_record_purchases',
  `with item as (
    select * from unnest(
      :transfers::bigint[], :users::bigint[], :currencies::text[], :amounts::numeric[],
      :refs::text[], :externals::boolean[], :ats::timestamptz[]
    ) i (transfer_id, user_id, currency, amount, reference, is_external, at)
  ),
  total as (
    insert into community_purchase_total as t (user_id, amount)
    select user_id, sum(amount) from item group by user_id order by user_id
    on conflict (user_id) do update set amount = t.amount + excluded.amount
  )
  insert into package_purchase
    (transfer_id, user_id, currency, amount, reference, is_external, created_at)
  select transfer_id, user_id, currency, amount, reference, is_external,
    coalesce(at, :now::timestamptz) from item
  returning ${PURCHASE_COLUMNS}`,
);

/**
 * Records paid purchases of existing users: their own totals at once, those of all ancestors
 * through the queue.
 */
export async function recordPurchases(
  tx: Transaction,
  clock: Clock,
  purchases: readonly NewPurchase[],
): Promise<Purchase[]> {
  if (purchases.length === 0) return [];
  const [{ rows }] = await Promise.all([
    execute<PurchaseRow>(tx, RECORD_PURCHASES, {
      transfers: purchases.map((one) => one.transferId),
      users: purchases.map((one) => one.userId),
      currencies: purchases.map((one) => one.currency),
      amounts: purchases.map((one) => one.amount.toString()),
      refs: purchases.map((one) => one.reference),
      externals: purchases.map((one) => one.isExternal),
      ats: purchases.map((one) => one.createdAt ?? null),
      now: clock.now(),
    }),
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

const FIND_PAID = defineStatement(
  'community_find_paid',
  `select p.*, t.idempotency_key, encode(t.request_hash, 'hex') as request_hash
  from transfer t join package_purchase p on p.transfer_id = t.id
  where t.idempotency_key = any(:keys::text[])`,
);

/** Purchases by the keys of the postings that paid for them, as before any refund. */
export async function findPurchasesPaid(
  db: Db,
  idempotencyKeys: readonly string[],
): Promise<Map<string, PaidPurchase>> {
  const { rows } = await execute<PurchaseRow & { idempotency_key: string; request_hash: string }>(
    db,
    FIND_PAID,
    { keys: idempotencyKeys },
  );
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
  /** Sum of the refunds of the purchase, up to this one. */
  readonly refunded: bigint;
  readonly requestHash: string;
}

const FIND_REFUND = `select r.purchase_id as "purchaseId", r.transfer_id as "transferId",
    encode(t.request_hash, 'hex') as "requestHash",
    (
      select sum(b.amount) from package_refund b
      where b.purchase_id = r.purchase_id and b.id <= r.id
    ) as refunded
  from transfer t join package_refund r on r.transfer_id = t.id where t.idempotency_key = $1`;

/** The refund that was paid by the posting under that key. */
export async function findRefundPaid(
  db: Db,
  idempotencyKey: string,
): Promise<PaidRefund | undefined> {
  const { rows } = await db.query<Omit<PaidRefund, 'refunded'> & { refunded: string }>(
    FIND_REFUND,
    [idempotencyKey],
  );
  return rows[0] && { ...rows[0], refunded: BigInt(rows[0].refunded) };
}

/** Finds a purchase and locks it against concurrent refunds. @throws `not_found` */
export async function lockPurchase(tx: Transaction, purchaseId: number): Promise<Purchase> {
  const { rows } = await tx.query<PurchaseRow>(
    `select ${PURCHASE_COLUMNS} from package_purchase where id = $1 for update`,
    [purchaseId],
  );
  return toPurchase(rows[0]);
}

/** @throws `not_found` */
export async function findPurchase(db: Db, purchaseId: number): Promise<Purchase> {
  const { rows } = await db.query<PurchaseRow>(
    `select ${PURCHASE_COLUMNS} from package_purchase where id = $1`,
    [purchaseId],
  );
  return toPurchase(rows[0]);
}

export interface NewRefund {
  /** The transfer that paid it back. */
  readonly transferId: number;
  readonly purchase: Purchase;
  readonly amount: bigint;
  readonly reference: string;
}

/**
 * Records a full or partial refund of a purchase.
 * @returns the purchase after it
 * @throws `refund_too_large` when less than that remains
 */
export async function recordRefund(
  tx: Transaction,
  clock: Clock,
  { transferId, purchase, amount, reference }: NewRefund,
): Promise<Purchase> {
  // Before the purchase changes: the entry of the audit log names its transfer.
  await queryNamed(
    tx,
    `insert into package_refund (transfer_id, purchase_id, amount, reference, created_at)
      values (:transfer_id, :purchase_id, :amount, :reference, :now)`,
    {
      transfer_id: transferId,
      purchase_id: purchase.purchaseId,
      amount: amount.toString(),
      reference,
      now: clock.now(),
    },
  );
  const { rows } = await queryNamed<PurchaseRow>(
    tx,
    `update package_purchase set refunded = refunded + :amount::numeric
      where id = :purchase_id and refunded + :amount::numeric <= amount
      returning ${PURCHASE_COLUMNS}`,
    { purchase_id: purchase.purchaseId, amount: amount.toString() },
  );
  if (!rows[0]) throw failure('refund_too_large');
  await queryNamed(
    tx,
    `update community_purchase_total set amount = amount - :amount::numeric
      where user_id = :user_id`,
    { user_id: purchase.userId, amount: amount.toString() },
  );
  await enqueue(tx, [{ kind: 'amount', userId: purchase.userId, amount: -amount }]);
  return toPurchase(rows[0]);
}
