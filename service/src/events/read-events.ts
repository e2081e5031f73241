/** Reads of the outbox, by position. */
import { type Db, defineStatement, execute } from '../db/index.ts';

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

const FOR_PEOPLE = defineStatement(
  'events-for-people',
  `select e.user_id as "userId", ${RANGE_FIELDS} from event e
   where e.position > :after and (e.user_id is not null or e.is_broadcast or e.shard is not null)
   order by e.position limit :limit`,
);
const PAGE_OF_STREAM = 'position > :after and position <= :up_to order by position limit :limit';
// Two index ranges instead of one `or`, which would read the events of all other users.
const FOR_PERSON = defineStatement(
  'events-for-person',
  `select * from (
     (select ${FIELDS} from event where user_id = :user_id and ${PAGE_OF_STREAM})
     union all
     (select ${FIELDS} from event where is_broadcast and ${PAGE_OF_STREAM})
   ) as mine order by position limit :limit`,
);

/** The part of a user's stream that a client missed: `after < position <= upTo`. */
export interface Backlog {
  readonly userId: number;
  readonly after: number;
  readonly upTo: number;
}

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
  const { rows } = await execute<EventRow>(db, FOR_PEOPLE, { after, limit });
  const page = cutPage(rows);
  return { rows: page, isCut: page.length < rows.length || rows.length === limit };
}

/** Stored events of one user's stream after a position, up to another one. */
export async function readForPerson(
  db: Db,
  { userId, after, upTo }: Backlog,
  limit: number,
): Promise<StoredEvent[]> {
  const values = { user_id: userId, after, up_to: upTo, limit };
  return (await execute<StoredEvent>(db, FOR_PERSON, values)).rows;
}

const TIME_AT = defineStatement(
  'event-time-at',
  `select created_at as "createdAt" from event
   where position >= :position order by position limit 1`,
);

/**
 * When the row was written that holds a position, or else the next one; undefined when there is
 * none.
 */
export async function readTimeAt(db: Db, position: number): Promise<Date | undefined> {
  const { rows } = await execute<{ createdAt: Date }>(db, TIME_AT, { position });
  return rows[0]?.createdAt;
}

// The range of a transfer is the last one of its shard that does not begin after it, if it reaches
// that far.
const RANGES_OF = defineStatement(
  'event-ranges-of',
  `select asked.i, ${RANGE_FIELDS}
   from unnest(:shards::smallint[], :numbers::bigint[]) with ordinality as asked (shard, n, i)
   cross join lateral (
     select * from event where shard = asked.shard and first_transfer <= asked.n
     order by first_transfer desc limit 1) e
   where e.first_transfer + e.transfers > asked.n
     and e.position > :after and e.position <= :up_to`,
);

/**
 * The ranges that hold some transfers, where these ranges end after a position and not after
 * another one.
 * @returns index of the transfer in `places` → its range
 */
export async function readRangesOf(
  db: Db,
  places: readonly { readonly shard: number; readonly n: number }[],
  { after, upTo }: Pick<Backlog, 'after' | 'upTo'>,
): Promise<Map<number, PostingRange>> {
  const { rows } = await execute<PostingRange & { readonly i: number }>(db, RANGES_OF, {
    shards: places.map(({ shard }) => shard),
    numbers: places.map(({ n }) => n),
    after,
    up_to: upTo,
  });
  return new Map(rows.map(({ i, ...range }) => [i - 1, range]));
}

const READ_COUNTER = defineStatement(
  'event-counter',
  `select last_position as "lastPosition", deleted_position as "deletedPosition"
   from event_counter where id = 1`,
);

export interface EventCounter {
  readonly lastPosition: number;
  readonly deletedPosition: number;
}

/** How far positions were given, and up to which one events were deleted for their age. */
export async function readCounter(db: Db): Promise<EventCounter> {
  const { rows } = await execute<EventCounter>(db, READ_COUNTER, {});
  if (!rows[0]) throw new Error('the event counter is missing');
  return rows[0];
}

/** The body that streams and webhooks deliver: `{type, timestamp, data}`. */
export function eventBody(event: Pick<StoredEvent, 'type' | 'data' | 'createdAt'>): string {
  const [type, timestamp] = [JSON.stringify(event.type), event.createdAt.toISOString()];
  return `{"type":${type},"timestamp":"${timestamp}","data":${event.data}}`;
}
