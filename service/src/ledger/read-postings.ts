/** Reads of single postings: by id, and from the wallets of one person in the order of posting. */
import { type Db, defineStatement, execute } from '../db/index.ts';
import { countBefore } from './bill-mapping.ts';
import { entriesBetween, transferById } from './packed-entries.ts';
import { referenceOf } from './reference-data.ts';
import type { AccountRef, Currency } from './types.ts';
import { getUserWalletRange, readWalletId, SHARDS, USER_KINDS } from './wallet-ids.ts';

/** A posting as it was written. */
export interface PostedTransfer {
  readonly transferId: number;
  readonly debit: AccountRef;
  readonly credit: AccountRef;
  readonly currency: Currency;
  /** Minor units, positive. */
  readonly amount: bigint;
  readonly businessId: string;
  readonly mayOverdraw: boolean;
  readonly eventAt: Date;
  readonly rewardType?: string;
  readonly nodeId?: string;
  readonly reference?: string;
  readonly remark?: string;
}

interface TransferRow {
  readonly id: number;
  readonly debit_wallet: number;
  readonly credit_wallet: number;
  readonly currency_id: number;
  readonly business_id: number;
  readonly may_overdraw: boolean;
  readonly amount: string;
  readonly event_at: Date;
  readonly reward_type: string | null;
  readonly node_id: string | null;
  readonly reference: string | null;
  readonly remark: string | null;
}

/** The lateral form keeps to the index, whatever the planner believes of the length of the list. */
const TRANSFERS = defineStatement(
  'ledger_postings',
  `select t.id, t.debit_wallet, t.credit_wallet, t.currency_id, t.business_id,
  t.may_overdraw, t.amount, t.event_at,
    t.reward_type, t.node_id, t.reference, t.remark
  from unnest(:transfer_ids::bigint[]) as asked (id)
    cross join lateral ${transferById('asked.id')} t
  where :user_ids::bigint[] is null or t.debit_wallet / ${USER_KINDS} = any (:user_ids)
    or t.credit_wallet / ${USER_KINDS} = any (:user_ids)`,
);

/**
 * Postings by their ids, in no particular order; one that does not exist is left out.
 * @param userIds only postings that move money of these people; absent: all
 */
export async function readPostings(
  db: Db,
  transferIds: readonly number[],
  userIds?: readonly number[],
): Promise<PostedTransfer[]> {
  if (transferIds.length === 0 || userIds?.length === 0) return [];
  const { rows } = await execute<TransferRow>(db, TRANSFERS, {
    transfer_ids: transferIds,
    user_ids: userIds ?? null,
  });
  const wallets = rows.flatMap((row) => [row.debit_wallet, row.credit_wallet]);
  const names = await referenceOf(db, {
    currencies: rows.map((row) => row.currency_id),
    businesses: rows.map((row) => row.business_id),
    kinds: wallets.map((walletId) => readWalletId(walletId).kindId),
  });
  const accountOf = (walletId: number): AccountRef => {
    const { kindId, userId } = readWalletId(walletId);
    const code = names.kindsById.get(kindId)?.code ?? '';
    return userId === null ? { house: code } : { userId, wallet: code };
  };
  return rows.map((row) => {
    const currency = names.currenciesById.get(row.currency_id);
    const business = names.businessesById.get(row.business_id);
    if (!currency || !business) throw new Error(`the transfer ${row.id} names what does not exist`);
    return {
      transferId: row.id,
      debit: accountOf(row.debit_wallet),
      credit: accountOf(row.credit_wallet),
      currency,
      amount: BigInt(row.amount),
      businessId: business.code,
      mayOverdraw: row.may_overdraw,
      eventAt: row.event_at,
      ...(row.reward_type !== null && { rewardType: row.reward_type }),
      ...(row.node_id !== null && { nodeId: row.node_id }),
      ...(row.reference !== null && { reference: row.reference }),
      ...(row.remark !== null && { remark: row.remark }),
    };
  });
}

/** Shard of a transfer, and its number there; the counterpart of `idInShard`. */
export function placeInShard(transferId: number): { shard: number; n: number } {
  return { shard: (transferId - 1) % SHARDS, n: Math.floor((transferId - 1) / SHARDS) };
}

export interface WalletEntry {
  /** Place in the wallet; dense, in the order of posting. */
  readonly position: number;
  readonly transferId: number;
  /** 0: the debit, 1: the credit. */
  readonly side: 0 | 1;
}

/** A wallet, and the position of one of its entries. */
export interface WalletPosition {
  readonly walletId: number;
  readonly position: number;
}

const WALLETS = defineStatement(
  'ledger_wallets_of',
  `select wallet_id as "walletId", sum(seq)::bigint as entries from account
   where wallet_id between :first and :last group by wallet_id order by wallet_id`,
);

/** Wallets in a range of ids, in its order, each with the number of its entries. */
export async function countEntries(
  db: Db,
  [first, last]: readonly [first: number, last: number],
): Promise<{ walletId: number; entries: number }[]> {
  const values = { first, last };
  return (await execute<{ walletId: number; entries: number }>(db, WALLETS, values)).rows;
}

/**
 * Every wallet of a person, each with the position of its last entry that was posted before an
 * instant; 0 without any.
 */
export async function findLastEntriesBefore(
  db: Db,
  userId: number,
  instant: Date,
): Promise<WalletPosition[]> {
  const found: WalletPosition[] = [];
  for (const { walletId, entries } of await countEntries(db, getUserWalletRange(userId)))
    found.push({ walletId, position: await countBefore(db, walletId, entries, instant) });
  return found;
}

const ENTRIES = defineStatement(
  'ledger_entries_after',
  `select position, transfer_id as "transferId", 2 - direction as side
  from ${entriesBetween(
    ':wallet_id::bigint',
    ':position::bigint',
    ':position::bigint + :limit::bigint',
  )} e
  order by position`,
);

/** The next entries of a wallet, oldest first. */
export async function readEntriesAfter(
  db: Db,
  { walletId, position }: WalletPosition,
  limit: number,
): Promise<WalletEntry[]> {
  return (await execute<WalletEntry>(db, ENTRIES, { wallet_id: walletId, position, limit })).rows;
}
