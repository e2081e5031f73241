/**
 * What one person's stream has missed, in order. Events of postings are found from the entries of
 * the person's own wallets, so that the postings of other people are never read.
 */
import type { Db } from '../db/index.ts';
import {
  byPosition,
  describeTransfers,
  type PostingSource,
  positionIn,
  type WalletCursor,
} from './postings.ts';
import {
  type Backlog,
  type PostingRange,
  readForPerson,
  readRangesOf,
  readTimeAt,
  type StoredEvent,
} from './read-events.ts';

const PAGE_ROWS = 500;
/**
 * How much earlier than the row at the reader's position a posting may be dated whose event comes
 * later: a transaction may last that long, and the clocks of two instances differ that much.
 */
const EARLIER_MS = 3_600_000;

/** One event of a posting that is to be described. */
interface PostingEvent {
  readonly position: number;
  readonly transferId: number;
  readonly range: PostingRange;
}

type Found = StoredEvent | PostingEvent;

/** A source of events, each read in the order of positions. */
interface Track {
  /** What was read and not yet passed on. */
  found: Found[];
  isAtEnd: boolean;
  /** Reads on by one page, which may hold nothing. */
  readOn(): Promise<void>;
}

function trackStored(db: Db, backlog: Backlog): Track {
  let { after } = backlog;
  const track: Track = {
    found: [],
    isAtEnd: false,
    async readOn() {
      const events = await readForPerson(db, { ...backlog, after }, PAGE_ROWS);
      track.found.push(...events);
      track.isAtEnd = events.length < PAGE_ROWS;
      after = events.at(-1)?.position ?? after;
    },
  };
  return track;
}

function trackWallet(
  db: Db,
  source: PostingSource,
  { after, upTo }: Backlog,
  start: WalletCursor,
): Track {
  let cursor = start;
  const track: Track = {
    found: [],
    isAtEnd: false,
    async readOn() {
      const entries = await source.readEntries(db, cursor, PAGE_ROWS);
      const places = entries.map(({ transferId }) => source.placeOf(transferId));
      // A range that the end lies in cannot be: positions are given to whole ranges.
      const ranges = await readRangesOf(db, places, { after, upTo });
      for (const [i, { transferId, side }] of entries.entries()) {
        const range = ranges.get(i);
        const position = range && positionIn(range, places[i]?.n ?? 0, side);
        if (range && position !== undefined && position > after)
          track.found.push({ position, transferId, range });
      }
      track.isAtEnd = entries.length < PAGE_ROWS;
      cursor = { ...cursor, position: entries.at(-1)?.position ?? cursor.position };
    },
  };
  return track;
}

async function openTracks(db: Db, source: PostingSource, backlog: Backlog): Promise<Track[]> {
  const stored = trackStored(db, backlog);
  const writtenAt = await readTimeAt(db, backlog.after);
  if (!writtenAt) return [stored];
  const wallets = await source.findWallets(
    db,
    backlog.userId,
    new Date(writtenAt.getTime() - EARLIER_MS),
  );
  return [stored, ...wallets.map((wallet) => trackWallet(db, source, backlog, wallet))];
}

/** Takes what no track can still come before. */
function takeReady(tracks: readonly Track[]): Found[] {
  const unfinished = tracks.filter((track) => !track.isAtEnd);
  const bound = Math.min(...unfinished.map((track) => track.found.at(-1)?.position ?? 0));
  const ready = tracks.flatMap((track) => track.found.filter(({ position }) => position <= bound));
  for (const track of tracks) track.found = track.found.filter(({ position }) => position > bound);
  return ready;
}

async function describeFound(
  db: Db,
  source: PostingSource,
  userId: number,
  found: readonly Found[],
): Promise<StoredEvent[]> {
  const stored = found.filter((one): one is StoredEvent => !('range' in one));
  const postings = found.filter((one): one is PostingEvent => 'range' in one);
  const transfers = new Map(postings.map(({ transferId, range }) => [transferId, range]));
  const events = await describeTransfers(db, source, transfers, [userId]);
  // The other side of a transfer between two wallets of the person may be in another page.
  const positions = new Set(postings.map(({ position }) => position));
  return [...stored, ...events.filter(({ position }) => positions.has(position))].sort(byPosition);
}

/** Reads a person's backlog page by page, in the order of positions. */
export async function* readBacklog(
  db: Db,
  source: PostingSource,
  backlog: Backlog,
): AsyncGenerator<StoredEvent[]> {
  if (backlog.after >= backlog.upTo) return;
  const tracks = await openTracks(db, source, backlog);
  while (tracks.some((track) => !track.isAtEnd || track.found.length > 0)) {
    for (const track of tracks)
      while (!track.isAtEnd && track.found.length === 0) await track.readOn();
    const ready = takeReady(tracks);
    if (ready.length > 0) yield await describeFound(db, source, backlog.userId, ready);
  }
}
