/** Reads of the outbox, by position. */
import type { Db } from '../db/index.ts';

/** An event as it is delivered. */
export interface StoredEvent {
  readonly position: number;
  /** Null: a broadcast. */
  readonly userId: number | null;
  readonly type: string;
  /** The JSON object as it was written. */
  readonly data: string;
  readonly createdAt: Date;
}

/** A row that stands for the events of consecutive transfers of one shard. */
export interface PostingRange {
  /** The last position of the range; each transfer has two. */
  readonly position: number;
  readonly type: string;
  readonly data: null;
  readonly createdAt: Date;
  readonly shard: number;
  readonly firstTransfer: number;
  /** How many. */
  readonly transfers: number;
}

export type EventRow = StoredEvent | PostingRange;

export const RANGE_FIELDS = `e.position, e.type, e.data, e.created_at as "createdAt", e.shard,
  e.first_transfer as "firstTransfer", e.transfers`;
const FIELDS = 'position, user_id as "userId", type, data, created_at as "createdAt"';

const FOR_PEOPLE = `select e.user_id as "userId", ${RANGE_FIELDS} from event e
  where e.position > $1 and (e.user_id is not null or e.is_broadcast or e.shard is not null)
  order by e.position limit $2`;
// Two index ranges instead of one `or`, which would walk the events of everybody else.
const FOR_PERSON = `select * from (
    (select ${FIELDS} from event where user_id = $1 and position > $2 and position <= $3 order by position limit $4)
    union all
    (select ${FIELDS} from event where is_broadcast and position > $2 and position <= $3 order by position limit $4)
  ) as mine order by position limit $4`;

/** Postings that one page may stand for; a single range may exceed it. */
const POSTINGS_MAX = 2000;

/** The first rows, until they stand for too many postings. */
function cutPage(rows: readonly EventRow[]): readonly EventRow[] {
  let postings = 0;
  const end = rows.findIndex((row, i) => {
    if (row.data !== null) return false;
    postings += row.transfers;
    return i > 0 && postings > POSTINGS_MAX;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

export interface EventPage {
  readonly rows: readonly EventRow[];
  /** More may follow. */
  readonly isCut: boolean;
}

/** What the streams of all people together have to see after a position. */
export async function readForPeople(db: Db, after: number, limit: number): Promise<EventPage> {
  const { rows } = await db.prepared<EventRow>('events-for-people', FOR_PEOPLE, [after, limit]);
  const page = cutPage(rows);
  return { rows: page, isCut: page.length < rows.length || rows.length === limit };
}

/** Stored events that one person's stream has to see after a position, up to another one. */
export async function readForPerson(
  db: Db,
  userId: number,
  after: number,
  upTo: number,
  limit: number,
): Promise<StoredEvent[]> {
  return (
    await db.prepared<StoredEvent>('events-for-person', FOR_PERSON, [userId, after, upTo, limit])
  ).rows;
}

/** When the row was written that holds a position, or else the next one; undefined when there is none. */
export async function readTimeAt(db: Db, position: number): Promise<Date | undefined> {
  const { rows } = await db.prepared<{ createdAt: Date }>(
    'event-time-at',
    'select created_at as "createdAt" from event where position >= $1 order by position limit 1',
    [position],
  );
  return rows[0]?.createdAt;
}

// The range of a transfer is the last one of its shard that does not begin after it, if it reaches that far.
const RANGES_OF = `select asked.i, ${RANGE_FIELDS}
  from unnest($1::smallint[], $2::bigint[]) with ordinality as asked (shard, n, i)
  cross join lateral (
    select * from event where shard = asked.shard and first_transfer <= asked.n order by first_transfer desc limit 1
  ) e
  where e.first_transfer + e.transfers > asked.n and e.position > $3 and e.position <= $4`;

/**
 * The ranges that hold some transfers, where these ranges end after a position and not after another one.
 * @returns index of the transfer in `places` → its range
 */
export async function readRangesOf(
  db: Db,
  places: readonly { readonly shard: number; readonly n: number }[],
  after: number,
  upTo: number,
): Promise<Map<number, PostingRange>> {
  const { rows } = await db.prepared<PostingRange & { readonly i: number }>(
    'event-ranges-of',
    RANGES_OF,
    [places.map(({ shard }) => shard), places.map(({ n }) => n), after, upTo],
  );
  return new Map(rows.map(({ i, ...range }) => [i - 1, range]));
}

export interface EventCounter {
  readonly lastPosition: number;
  readonly deletedPosition: number;
}

/** How far positions were given, and up to which one events were deleted for their age. */
export async function readCounter(db: Db): Promise<EventCounter> {
  const { rows } = await db.prepared<EventCounter>(
    'event-counter',
    'select last_position as "lastPosition", deleted_position as "deletedPosition" from event_counter where id = 1',
  );
  if (!rows[0]) throw new Error('the event counter is missing');
  return rows[0];
}

/** The body that streams and webhooks deliver: `{type, timestamp, data}`. */
export function eventBody(event: Pick<StoredEvent, 'type' | 'data' | 'createdAt'>): string {
  return `{"type":${JSON.stringify(event.type)},"timestamp":"${event.createdAt.toISOString()}","data":${event.data}}`;
}
