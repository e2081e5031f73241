/**
 * Events of postings: one stored row stands for a range of transfers, and each event is made when
 * it is read.
 */
import type { Db } from '../db/index.ts';
import type { EventRow, PostingRange, StoredEvent } from './read-events.ts';

/** 0: the debit, 1: the credit. */
export type Side = 0 | 1;

/** What a transfer means to the person on one of its sides. */
export interface DescribedPosting {
  readonly transferId: number;
  readonly side: Side;
  readonly userId: number;
  /** The JSON object as it is delivered. */
  readonly data: string;
}

/** How far one wallet of a person was read. */
export interface WalletCursor {
  readonly walletId: number;
  /** Entries up to this one are passed over. */
  readonly position: number;
}

/** One entry of a person's wallet. */
export interface WalletPosting {
  /** Place of the entry in its wallet; dense. */
  readonly position: number;
  readonly transferId: number;
  readonly side: Side;
}

/** Place of a transfer in the ledger: its shard, and its number there. */
export interface TransferPlace {
  readonly shard: number;
  readonly n: number;
}

/** Where postings are read; the composition root provides it, because events know no domain. */
export interface PostingSource {
  /** The id of the n-th transfer of a shard. */
  idOf(place: TransferPlace): number;
  placeOf(transferId: number): TransferPlace;
  /**
   * Describes the sides of transfers of users for which this event type has events.
   * @param userIds only sides of these users; absent: of all users
   */
  describe(
    db: Db,
    type: string,
    transferIds: readonly number[],
    userIds?: readonly number[],
  ): Promise<readonly DescribedPosting[]>;
  /** Every wallet of a person, with the last entry that was posted before an instant. */
  findWallets(db: Db, userId: number, from: Date): Promise<readonly WalletCursor[]>;
  /** The next entries of a wallet, oldest first. */
  readEntries(db: Db, after: WalletCursor, limit: number): Promise<readonly WalletPosting[]>;
}

/** The position of the event of one side of the n-th transfer of the shard. */
export function positionIn(
  { position, firstTransfer, transfers }: PostingRange,
  n: number,
  side: Side,
): number {
  return position - 2 * (firstTransfer + transfers - n) + 1 + side;
}

/** Makes the events of some transfers, each with the range that it is in. */
export async function describeTransfers(
  db: Db,
  source: PostingSource,
  transfers: ReadonlyMap<number, PostingRange>,
  userIds?: readonly number[],
): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  const idsByType = Map.groupBy(transfers.keys(), (id) => transfers.get(id)?.type ?? '');
  for (const [type, ids] of idsByType) {
    for (const { transferId, side, userId, data } of await source.describe(
      db,
      type,
      ids,
      userIds,
    )) {
      const range = transfers.get(transferId);
      if (!range) continue;
      const position = positionIn(range, source.placeOf(transferId).n, side);
      events.push({ position, userId, type, data, createdAt: range.createdAt });
    }
  }
  return events;
}

/** Makes the events of ranges, in no particular order. */
export async function describeRanges(
  db: Db,
  source: PostingSource,
  ranges: readonly PostingRange[],
  userIds?: readonly number[],
): Promise<StoredEvent[]> {
  const transfers = new Map<number, PostingRange>();
  for (const range of ranges) {
    const { shard, firstTransfer } = range;
    for (let i = 0; i < range.transfers; i++)
      transfers.set(source.idOf({ shard, n: firstTransfer + i }), range);
  }
  return describeTransfers(db, source, transfers, userIds);
}

export function byPosition(one: { position: number }, other: { position: number }): number {
  return one.position - other.position;
}

/**
 * The events of rows in the order of their positions: stored ones as they are, and those of ranges
 * for some people.
 */
export async function expandRows(
  db: Db,
  source: PostingSource,
  rows: readonly EventRow[],
  userIds: readonly number[],
): Promise<StoredEvent[]> {
  const ranges = rows.filter((row): row is PostingRange => row.data === null);
  const stored = rows.filter((row): row is StoredEvent => row.data !== null);
  return [...stored, ...(await describeRanges(db, source, ranges, userIds))].sort(byPosition);
}
