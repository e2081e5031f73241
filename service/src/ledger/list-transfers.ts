/**
 * Transfers, newest first: all, those of a person, or those of an account of the house. Ids do not
 * follow the time: each shard counts by itself, and the first that is free posts. So a list merges
 * several sequences: the shards by the numbers of their transfers, or wallets by the positions of
 * their entries. Each page takes the newest end of what every sequence has left. Time never runs
 * backwards in a wallet; in a shard it may, where clocks of instances differ. Packed ones are in it
 * as all others.
 */
import { type Db, defineStatement, execute } from '../db/index.ts';
import { type FoundTransfer, findTransfers } from './find-transfer.ts';
import { entriesBetween, transferById } from './packed-entries.ts';
import { countEntries } from './read-postings.ts';
import { referenceOf } from './reference-data.ts';
import type { AccountRef, HouseAccount } from './types.ts';
import {
  getHouseWalletRange,
  getUserWalletRange,
  readWalletId,
  SHARDS,
  toHouseWalletId,
  toUserWalletId,
} from './wallet-ids.ts';

/** Absent: all transfers. */
export type TransferFilter =
  | { readonly userId: number }
  | { readonly house: HouseAccount }
  | undefined;

/**
 * Where a list continues: how many of its first transfers each sequence has left. A sequence is a
 * shard, or of a person a kind of wallet.
 */
export type TransferPlaces = ReadonlyMap<number, number>;

export interface TransferList {
  readonly transfers: readonly FoundTransfer[];
  /** Of the next page; absent: this is the last one. */
  readonly next?: TransferPlaces;
}

interface Sequence {
  readonly key: number;
  /** How many of its first transfers are not listed yet. */
  readonly left: number;
}

interface ListedRow {
  readonly key: number;
  readonly position: number;
  readonly transferId: number;
  /** Of an entry: 1 credit, 2 debit. */
  readonly direction?: number;
}

const SHARD_TRANSFERS = defineStatement(
  'ledger_shard_transfers',
  'select shard as key, transfers as "left" from ledger_shard order by shard',
);

// A transfer with a later time than one behind it in its shard is listed after that: a page without
// the last one of a shard would continue behind it.
const NEWEST_OF_SHARDS = defineStatement(
  'ledger_newest_transfers',
  `select s.sequence as key, n.position, t.id as "transferId"
  from unnest(:keys::int[], :lefts::bigint[]) as s (sequence, remaining)
    cross join lateral generate_series(
      greatest(s.remaining - :size::bigint, 0) + 1, s.remaining) as n (position)
    cross join lateral ${transferById(`((n.position - 1) * ${SHARDS} + s.sequence + 1)`)} t
  order by min(t.created_at) over (partition by s.sequence order by n.position desc) desc,
    s.sequence, n.position desc
  limit :size`,
);

const NEWEST_OF_WALLETS = defineStatement(
  'ledger_newest_of_wallets',
  `select s.sequence as key, e.position, e.transfer_id as "transferId", e.direction
  from unnest(:keys::int[], :wallets::bigint[], :lefts::bigint[])
    as s (sequence, wallet_id, remaining)
    cross join lateral ${entriesBetween(
      's.wallet_id',
      'greatest(s.remaining - :size::bigint, 0)',
      's.remaining',
    )} e
  order by e.created_at desc, s.sequence, e.position desc limit :size`,
);

/** Of a wallet: its shard, or of a person its kind. */
function keyOf(walletId: number): number {
  const { kindId, shard } = readWalletId(walletId);
  return shard ?? kindId;
}

/** What a filter goes through, and which wallet each key stands for. */
interface Scope {
  readonly sequences: readonly Sequence[];
  readonly walletOf?: (key: number) => number;
}

async function readScope(db: Db, filter: TransferFilter): Promise<Scope> {
  if (filter === undefined)
    return { sequences: (await execute<Sequence>(db, SHARD_TRANSFERS, {})).rows };
  const count = async (range: readonly [number, number]): Promise<Sequence[]> =>
    (await countEntries(db, range)).map(({ walletId, entries }) => ({
      key: keyOf(walletId),
      left: entries,
    }));
  if ('userId' in filter)
    return {
      sequences: await count(getUserWalletRange(filter.userId)),
      walletOf: (key) => toUserWalletId(filter.userId, key),
    };
  const kind = (await referenceOf(db, { kinds: [filter.house] })).kinds.get(filter.house);
  if (!kind) throw new Error(`there is no account of the kind ${filter.house}`);
  return {
    sequences: await count(getHouseWalletRange(kind.id)),
    walletOf: (key) => toHouseWalletId(kind.id, key),
  };
}

function readRows(
  db: Db,
  sequences: readonly Sequence[],
  size: number,
  walletOf: Scope['walletOf'],
): Promise<{ rows: ListedRow[] }> {
  const keys = sequences.map(({ key }) => key);
  const values = { keys, lefts: sequences.map(({ left }) => left), size };
  return walletOf
    ? execute<ListedRow>(db, NEWEST_OF_WALLETS, { ...values, wallets: keys.map(walletOf) })
    : execute<ListedRow>(db, NEWEST_OF_SHARDS, values);
}

/** What each sequence has left behind a page; undefined when nothing is. */
function placesAfter(
  sequences: readonly Sequence[],
  rows: readonly ListedRow[],
  size: number,
): TransferPlaces | undefined {
  if (rows.length < size) return undefined;
  const left = new Map(sequences.map((sequence) => [sequence.key, sequence.left]));
  for (const { key, position } of rows) left.set(key, Math.min(left.get(key) ?? 0, position - 1));
  const places = new Map([...left].filter(([, remaining]) => remaining > 0));
  return places.size > 0 ? places : undefined;
}

const isOf = (account: AccountRef, filter: TransferFilter): boolean =>
  filter !== undefined &&
  'userId' in filter &&
  'userId' in account &&
  account.userId === filter.userId;

/**
 * A page of the list. What moves between two wallets of the same person stands in both, and is
 * listed with the debit: a page may be shorter than it may be.
 * @param from where the page before ended; absent: the newest. No sequence is shorter than then,
 *   also on a standby: it answers only with all that the primary had when the request came
 */
export async function listTransfers(
  db: Db,
  filter: TransferFilter,
  { size, from }: { readonly size: number; readonly from?: TransferPlaces | undefined },
): Promise<TransferList> {
  const { sequences, walletOf } = await readScope(db, filter);
  const scope = sequences
    .map(({ key, left }) => ({ key, left: from ? Math.min(left, from.get(key) ?? 0) : left }))
    .filter(({ left }) => left > 0);
  if (scope.length === 0) return { transfers: [] };
  const { rows } = await readRows(db, scope, size, walletOf);
  const found = await findTransfers(db, [...new Set(rows.map(({ transferId }) => transferId))]);
  const debits = new Set(
    rows.filter(({ direction }) => direction === 2).map(({ transferId }) => transferId),
  );
  const next = placesAfter(scope, rows, size);
  return {
    transfers: found.filter(
      ({ transferId, debit }) => debits.has(transferId) || !isOf(debit, filter),
    ),
    ...(next && { next }),
  };
}
