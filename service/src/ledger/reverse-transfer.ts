import { type Db, defineStatement, execute, type Transaction, transaction } from '../db/index.ts';
import type { PostingEventType } from '../events/index.ts';
import type { FailureCode } from '../lib/failures.ts';
import { transferById } from './packed-entries.ts';
import { postBatch } from './post-batch.ts';
import { type ReferenceData, referenceOf } from './reference-data.ts';
import type { AccountRef, Posting, PostResult } from './types.ts';
import { readWalletId } from './wallet-ids.ts';

export interface ReverseTransfer {
  /** Idempotency key, unique in the ledger. */
  readonly idempotencyKey: string;
  /** Hash of the request. Default: of the posting that reverses. */
  readonly requestHash?: string;
  readonly transferId: number;
  readonly remark?: string;
  readonly event?: PostingEventType;
}

interface Wallets {
  readonly debit_wallet: number;
  readonly credit_wallet: number;
}

interface TransferRow extends Wallets {
  readonly event_at: Date;
  readonly reverses: number | null;
  readonly currency_id: number;
  readonly business_id: number;
  readonly amount: string;
  readonly reward_type: string | null;
  readonly node_id: string | null;
  readonly reference: string | null;
}

function kindsOf(rows: readonly Wallets[]): number[] {
  return rows.flatMap((row) => [
    readWalletId(row.debit_wallet).kindId,
    readWalletId(row.credit_wallet).kindId,
  ]);
}

function toAccountRef(reference: ReferenceData, walletId: number): AccountRef {
  const { kindId, userId } = readWalletId(walletId);
  const code = reference.kindsById.get(kindId)?.code;
  if (code === undefined) throw new Error(`the wallet ${walletId} is of no known kind`);
  return userId === null ? { house: code } : { userId, wallet: code };
}

const DONE = defineStatement(
  'ledger_reversed',
  `select debit_wallet, credit_wallet, event_at, reverses, currency_id, business_id, amount,
    reward_type, node_id, reference
  from ${transferById(':transfer_id::bigint')} t`,
);

/** The posting that undoes a transfer, or why nothing can. */
async function toReversal(
  tx: Transaction,
  { idempotencyKey, requestHash, transferId, remark, event }: ReverseTransfer,
): Promise<Posting | FailureCode> {
  const done = (await execute<TransferRow>(tx, DONE, { transfer_id: transferId })).rows[0];
  if (!done) return 'not_found';
  if (done.reverses !== null) return 'not_reversible';
  const reference = await referenceOf(tx, {
    currencies: [done.currency_id],
    businesses: [done.business_id],
    kinds: kindsOf([done]),
  });
  const currency = reference.currenciesById.get(done.currency_id);
  const business = reference.businessesById.get(done.business_id);
  if (!currency || !business)
    throw new Error(`the transfer ${transferId} names what does not exist`);
  return {
    idempotencyKey,
    reverses: transferId,
    debit: toAccountRef(reference, done.credit_wallet),
    credit: toAccountRef(reference, done.debit_wallet),
    currency: currency.code,
    amount: BigInt(done.amount),
    businessId: business.reversedAs ?? business.code,
    // A reversed earning changes the day that it belonged to.
    eventAt: done.event_at,
    mayOverdraw: true,
    ...(done.reward_type !== null && { rewardType: done.reward_type }),
    ...(done.node_id !== null && { nodeId: done.node_id }),
    ...(done.reference !== null && { reference: done.reference }),
    ...(remark !== undefined && { remark }),
    ...(requestHash !== undefined && { requestHash }),
    ...(event && { event }),
  };
}

async function reverseIn(
  tx: Transaction,
  orders: readonly ReverseTransfer[],
): Promise<PostResult[]> {
  const postings: Posting[] = [];
  for (const order of orders) {
    const posting = await toReversal(tx, order);
    if (typeof posting === 'string')
      return orders.map((other) => ({
        status: 'refused',
        code: other === order ? posting : 'batch_refused',
      }));
    postings.push(posting);
  }
  // On its own, what the books refuse is noted under its name, as of every posting.
  return postBatch(tx, postings, { atomic: postings.length > 1 });
}

/**
 * Undoes transfers by new ones in the other direction, each once and all of them or none; it passes
 * even if the person has spent the money. In one batch, which prevents deadlocks with a caller who
 * reverses the same ones in another order.
 */
export async function reverseTransfers(
  db: Db,
  orders: readonly ReverseTransfer[],
): Promise<PostResult[]> {
  return transaction(db, (tx) => reverseIn(tx, orders));
}

const NAME = defineStatement(
  'ledger_transfer_name',
  `select idempotency_key from ${transferById(':transfer_id::bigint')} t`,
);

/** The `idem` under which a transfer was posted. */
export async function readTransferName(db: Db, transferId: number): Promise<string | undefined> {
  const { rows } = await execute<{ idempotency_key: string }>(db, NAME, {
    transfer_id: transferId,
  });
  return rows[0]?.idempotency_key;
}

/** The transfer that was posted under that `idem`; not a bill of rewards, which may be packed. */
export async function findTransferNamed(
  db: Db,
  idempotencyKey: string,
): Promise<number | undefined> {
  return (
    await db.query<{ id: number }>('select id from transfer where idempotency_key = $1', [
      idempotencyKey,
    ])
  ).rows[0]?.id;
}

const UNDONE = `select done.idempotency_key from transfer done cross join lateral (select
  from transfer where reverses = done.id limit 1) undo
  where done.idempotency_key = any($1::text[])`;

/** Those of these names whose transfers were undone. */
export async function listUndone(db: Db, idempotencyKeys: readonly string[]): Promise<Set<string>> {
  return new Set(
    (await db.query<{ idempotency_key: string }>(UNDONE, [idempotencyKeys])).rows.map(
      (row) => row.idempotency_key,
    ),
  );
}
