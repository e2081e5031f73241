/** Packs bills of rewards of a month, some wallets at once, and removes their rows. */
import {
  type Database,
  defineStatement,
  executeUnprepared,
  queryNamed,
  type Transaction,
  transaction,
} from '../../db/index.ts';
import { addDays, startOfDay } from '../../lib/calendar.ts';
import { BLOCK, entryAt } from '../packed-entries.ts';

/** People whose month is packed in one transaction: some thousands of entries. */
const WALLETS_AT_ONCE = 100;
/** Blocks of the house packed in one transaction. */
const BLOCKS_AT_ONCE = 4;

/** A calendar month, by its first day and that of the next month, `yyyy-MM-dd`. */
export interface Month {
  readonly first: string;
  readonly next: string;
}

interface Place {
  readonly walletId: number;
  readonly position: number;
}

/** Positions (low, high] of a wallet. */
interface Range {
  readonly walletId: number;
  readonly low: number;
  readonly high: number;
}

/** How many of the first entries of some wallets were posted before an instant. */
const ENDS = defineStatement(
  'ledger_ends_of_wallets',
  `with recursive wallet as (
    select w.wallet_id, (select coalesce(sum(seq), 0)::bigint from account
      where wallet_id = w.wallet_id) as entries
    from unnest(:wallets::bigint[]) as w (wallet_id)
  ), search (wallet_id, low, high) as (
    select wallet_id, 0::bigint, entries from wallet
    union all
    select s.wallet_id, case when e.created_at < :instant then s.middle else s.low end,
      case when e.created_at < :instant then s.high else s.middle - 1 end
    from (
      select wallet_id, low, high, (low + high + 1) / 2 as middle from search where low < high
    ) s cross join lateral ${entryAt('s.wallet_id', 's.middle')} e
  )
  select wallet_id as "walletId", low as entries from search where low = high`,
);

async function countBefore(
  tx: Transaction,
  wallets: readonly number[],
  day: string,
): Promise<{ walletId: number; entries: number }[]> {
  const values = { wallets, instant: startOfDay(day) };
  return (await executeUnprepared<{ walletId: number; entries: number }>(tx, ENDS, values)).rows;
}

const PACK = `select pack_entries('entry', :month, :wallets::bigint[], :lows::bigint[],
  :highs::bigint[]) as removed`;

async function pack(tx: Transaction, { first }: Month, ranges: readonly Range[]): Promise<number> {
  const { rows } = await queryNamed<{ removed: number }>(tx, PACK, {
    month: first,
    wallets: ranges.map(({ walletId }) => walletId),
    lows: ranges.map(({ low }) => low),
    highs: ranges.map(({ high }) => high),
  });
  return rows[0]?.removed ?? 0;
}

const KEEP_PLACE = `update ledger_removal set at_wallet = :wallet, at_position = :position,
  entries = entries + :removed where month = :month`;

async function keepPlace(
  tx: Transaction,
  { first }: Month,
  { walletId, position }: Place,
  removed: number,
): Promise<void> {
  await queryNamed(tx, KEEP_PLACE, { wallet: walletId, position, removed, month: first });
}

/**
 * How far a step of a month is, locked until the end of the transaction.
 * @param isOpen SQL: the step is due
 * @returns undefined when it is not, or another instance is at it
 */
async function lockPlace(
  tx: Transaction,
  { first }: Month,
  isOpen: string,
): Promise<Place | undefined> {
  const { rows } = await queryNamed<Place>(
    tx,
    `select at_wallet as "walletId", at_position as position from ledger_removal
      where month = :month and ${isOpen} for update skip locked`,
    { month: first },
  );
  return rows[0];
}

const NEXT_PEOPLE = `select wallet_id from account where wallet_id > :wallet_id
  group by wallet_id order by wallet_id limit :limit`;
const PEOPLE_DONE = `update ledger_removal set people_at = :now, at_wallet = :first, at_position = 0
  where month = :month`;

/** A step of a month, which is locked for it. */
export interface MonthStep {
  readonly database: Database;
  readonly now: Date;
  /** Tests have small steps. */
  readonly walletsAtOnce?: number;
}

/**
 * Packs the entries of the next wallets of people.
 * @returns false when there are none, or another instance is at it
 */
export async function packPeople(
  { database, now, walletsAtOnce = WALLETS_AT_ONCE }: MonthStep,
  month: Month,
): Promise<boolean> {
  return transaction(database, async (tx) => {
    const place = await lockPlace(tx, month, 'checked_at is not null and people_at is null');
    if (!place) return false;
    const { rows } = await queryNamed<{ wallet_id: number }>(tx, NEXT_PEOPLE, {
      ...{ wallet_id: place.walletId, limit: walletsAtOnce },
    });
    const wallets = rows.map(({ wallet_id }) => wallet_id);
    const last = wallets.at(-1);
    if (last === undefined) {
      const values = { now, first: Number.MIN_SAFE_INTEGER, month: month.first };
      await queryNamed(tx, PEOPLE_DONE, values);
      return false;
    }
    const ends = await countBefore(tx, wallets, month.next);
    // From the first entry on: what stands there still is little, and may have been uncovered.
    const ranges = ends.map(({ walletId, entries }) => ({ walletId, low: 0, high: entries }));
    await keepPlace(tx, month, { walletId: last, position: 0 }, await pack(tx, month, ranges));
    return true;
  });
}

const NEXT_HOUSE = `select min(wallet_id) as wallet_id from account
  where wallet_id >= :wallet_id and wallet_id < 0`;
const NEXT_ENTRY = `select position from entry
  where wallet_id = :wallet_id and position > :low and position <= :high order by position limit 1`;
const HOUSE_DONE = 'update ledger_removal set removed_at = :now where month = :month';

/** The next entries of a wallet of the house, by whole blocks; undefined: none is left. */
async function findHouseRange(
  tx: Transaction,
  { first, next }: Month,
  walletId: number,
  position: number,
): Promise<Range | undefined> {
  const { rowCount } = await queryNamed(
    tx,
    'select from ledger_removal where month < :first limit 1',
    { first },
  );
  // What the head of the month before did not cover was posted in its last days. Before the first
  // month there was none.
  const [begin] =
    rowCount > 0 ? await countBefore(tx, [walletId], addDays(first, -28)) : [undefined];
  const [end] = await countBefore(tx, [walletId], next);
  const values = { wallet_id: walletId, low: Math.max(position, begin?.entries ?? 0) };
  const high = end?.entries ?? 0;
  const { rows } = await queryNamed<{ position: number }>(tx, NEXT_ENTRY, { ...values, high });
  if (!rows[0]) return undefined;
  const low = Math.floor((rows[0].position - 1) / BLOCK) * BLOCK;
  return { walletId, low, high: Math.min(high, low + BLOCKS_AT_ONCE * BLOCK) };
}

/**
 * Packs the next entries of the house whose other sides are packed, and removes their transfers.
 * @returns false when there are none, or another instance is at it
 */
export async function packHouse({ database, now }: MonthStep, month: Month): Promise<boolean> {
  return transaction(database, async (tx) => {
    const place = await lockPlace(tx, month, 'people_at is not null and removed_at is null');
    if (!place) return false;
    const { walletId: from, position } = place;
    const { rows } = await queryNamed<{ wallet_id: number | null }>(tx, NEXT_HOUSE, {
      wallet_id: from,
    });
    const walletId = rows[0]?.wallet_id ?? null;
    if (walletId === null) {
      await queryNamed(tx, HOUSE_DONE, { now, month: month.first });
      return false;
    }
    const range = await findHouseRange(tx, month, walletId, walletId === from ? position : 0);
    if (range) {
      const reached = { walletId, position: range.high };
      await keepPlace(tx, month, reached, await pack(tx, month, [range]));
    } else await keepPlace(tx, month, { walletId: walletId + 1, position: 0 }, 0);
    return true;
  });
}
