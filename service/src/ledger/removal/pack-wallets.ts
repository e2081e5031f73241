/** Packs bills of rewards of a month, some wallets at once, and removes their rows. */
import { type Database, queryNamed, type Transaction, transaction } from '../../db/index.ts';
import {
  findHouseRange,
  findPeopleRanges,
  type Month,
  type Place,
  type Range,
  type StepSize,
} from './month-ranges.ts';

/** What of people is packed in one transaction: it ends long before a statement times out. */
const AT_ONCE: StepSize = { wallets: 100, positions: 5000 };

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

const PEOPLE_DONE = `update ledger_removal set people_at = :now, at_wallet = :first, at_position = 0
  where month = :month`;

/** A step of a month, which is locked for it. */
export interface MonthStep {
  readonly database: Database;
  readonly now: Date;
  /** Tests have small steps. */
  readonly atOnce?: StepSize;
}

/**
 * Packs the next entries of people.
 * @returns false when there are none, or another instance is at it
 */
export async function packPeople(
  { database, now, atOnce = AT_ONCE }: MonthStep,
  month: Month,
): Promise<boolean> {
  return transaction(database, async (tx) => {
    const place = await lockPlace(tx, month, 'checked_at is not null and people_at is null');
    if (!place) return false;
    const found = await findPeopleRanges(tx, month, place, atOnce);
    if (!found) {
      const values = { now, first: Number.MIN_SAFE_INTEGER, month: month.first };
      await queryNamed(tx, PEOPLE_DONE, values);
      return false;
    }
    await keepPlace(tx, month, found.reached, await pack(tx, month, found.ranges));
    return true;
  });
}

const NEXT_HOUSE = `select min(wallet_id) as wallet_id from account
  where wallet_id >= :wallet_id and wallet_id < 0`;
const HOUSE_DONE = 'update ledger_removal set removed_at = :now where month = :month';

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
    const range = await findHouseRange(tx, month, {
      walletId,
      position: walletId === from ? position : 0,
    });
    if (range) {
      const reached = { walletId, position: range.high };
      await keepPlace(tx, month, reached, await pack(tx, month, [range]));
    } else await keepPlace(tx, month, { walletId: walletId + 1, position: 0 }, 0);
    return true;
  });
}
