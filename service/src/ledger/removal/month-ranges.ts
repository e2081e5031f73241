/** Which entries a step of a removal takes: at most some thousands of positions. */
import {
  defineStatement,
  executeUnprepared,
  queryNamed,
  type Transaction,
} from '../../db/index.ts';
import { addDays, startOfDay } from '../../lib/calendar.ts';
import { searchPositions } from '../bill-mapping.ts';
import { BLOCK } from '../packed-entries.ts';

/** A calendar month, by its first day and that of the next month, `yyyy-MM-dd`. */
export interface Month {
  readonly first: string;
  readonly next: string;
}

/** All wallets before this one, and of this one all positions up to this one. */
export interface Place {
  readonly walletId: number;
  readonly position: number;
}

/** Positions (low, high] of a wallet. */
export interface Range {
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
  ), ${searchPositions('wallet')}
  select wallet_id as "walletId", low as entries from search where low = high`,
);

async function countBefore(
  tx: Transaction,
  wallets: readonly number[],
  day: string,
): Promise<ReadonlyMap<number, number>> {
  const values = { wallets, instant: startOfDay(day) };
  const { rows } = await executeUnprepared<{ walletId: number; entries: number }>(tx, ENDS, values);
  return new Map(rows.map(({ walletId, entries }) => [walletId, entries]));
}

/**
 * Days before a month whose bills the month before may have left: those posted after its last head,
 * and those that were younger than 30 days when it was packed.
 */
const MARGIN_DAYS = 28;

/** Where the last month before this one was covered up to: longer ago when it had no head. */
const LAST_HEAD = `select head_day::text as day from ledger_removal
  where month < :first order by month desc limit 1`;

/**
 * How many of the first entries of some wallets the months before have dealt with. What still
 * stands there stays; before the first month of all there was none.
 */
async function countDone(
  tx: Transaction,
  wallets: readonly number[],
  { first }: Month,
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await queryNamed<{ day: string }>(tx, LAST_HEAD, { first });
  const covered = rows[0]?.day;
  if (covered === undefined) return new Map();
  const [begin = first] = [addDays(first, -MARGIN_DAYS), addDays(covered, -1)].sort();
  return countBefore(tx, wallets, begin);
}

const NEXT_PEOPLE = `select wallet_id from account where wallet_id >= :wallet_id
  group by wallet_id order by wallet_id limit :limit`;

/** The first entry of each range that is still a row; what is packed is passed over. */
const FIRST_ROWS = `select w.wallet_id, e.position
  from unnest(:wallets::bigint[], :lows::bigint[], :highs::bigint[]) as w (wallet_id, low, high)
    cross join lateral (
      select position from entry where wallet_id = w.wallet_id and position > w.low
        and position <= w.high order by position limit 1) e
  order by w.wallet_id`;

/** The ranges without what is packed at their beginning, in the order of the wallets. */
async function skipPacked(tx: Transaction, ranges: readonly Range[]): Promise<Range[]> {
  const { rows } = await queryNamed<{ wallet_id: number; position: number }>(tx, FIRST_ROWS, {
    wallets: ranges.map(({ walletId }) => walletId),
    lows: ranges.map(({ low }) => low),
    highs: ranges.map(({ high }) => high),
  });
  const ends = new Map(ranges.map(({ walletId, high }) => [walletId, high]));
  return rows.map(({ wallet_id: walletId, position }) => ({
    walletId,
    low: position - 1,
    high: ends.get(walletId) ?? 0,
  }));
}

export interface StepSize {
  readonly wallets: number;
  readonly positions: number;
}

export interface PeopleRanges {
  readonly ranges: readonly Range[];
  /** Where the next step begins. */
  readonly reached: Place;
}

/**
 * The next ranges of people, of a month that ends: of so many wallets and positions together.
 * @returns undefined when there are no more wallets
 */
export async function findPeopleRanges(
  tx: Transaction,
  month: Month,
  place: Place,
  size: StepSize,
): Promise<PeopleRanges | undefined> {
  const { rows } = await queryNamed<{ wallet_id: number }>(tx, NEXT_PEOPLE, {
    ...{ wallet_id: place.walletId, limit: size.wallets },
  });
  const wallets = rows.map(({ wallet_id }) => wallet_id);
  const last = wallets.at(-1);
  if (last === undefined) return undefined;
  const ends = await countBefore(tx, wallets, month.next);
  const done = await countDone(tx, wallets, month);
  const due = wallets.map((walletId) => ({
    walletId,
    low: Math.max(
      walletId === place.walletId ? place.position : 0,
      // From here on: an older entry that is never packed would make all behind it count.
      done.get(walletId) ?? 0,
    ),
    high: ends.get(walletId) ?? 0,
  }));
  const ranges: Range[] = [];
  let left = size.positions;
  for (const { walletId, low, high } of await skipPacked(tx, due)) {
    const end = Math.min(high, low + left);
    ranges.push({ walletId, low, high: end });
    left -= end - low;
    if (left === 0) return { ranges, reached: { walletId, position: end } };
  }
  return { ranges, reached: { walletId: last + 1, position: 0 } };
}

/** Blocks of the house packed in one transaction. */
const BLOCKS_AT_ONCE = 4;

/** The next entries of a wallet of the house, by whole blocks; undefined: none is left. */
export async function findHouseRange(
  tx: Transaction,
  month: Month,
  { walletId, position }: Place,
): Promise<Range | undefined> {
  const done = (await countDone(tx, [walletId], month)).get(walletId) ?? 0;
  const high = (await countBefore(tx, [walletId], month.next)).get(walletId) ?? 0;
  const from = { walletId, low: Math.max(position, done), high };
  const [found] = await skipPacked(tx, [from]);
  if (!found) return undefined;
  const low = Math.floor(found.low / BLOCK) * BLOCK;
  return { walletId, low, high: Math.min(high, low + BLOCKS_AT_ONCE * BLOCK) };
}
