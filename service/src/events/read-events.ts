/** Reads of the outbox, by position. */
import type { Db } from '../db/index.ts';

export interface StoredEvent {
  readonly position: number;
  /** Null: a broadcast. */
  readonly userId: number | null;
  readonly type: string;
  /** The JSON object as it was written. */
  readonly data: string;
  readonly createdAt: Date;
}

const FIELDS = 'position, user_id as "userId", type, data, created_at as "createdAt"';
const FOR_PEOPLE = `select ${FIELDS} from event where position > $1 and (user_id is not null or is_broadcast) order by position limit $2`;
// Two index ranges instead of one `or`, which would walk the events of everybody else.
const FOR_PERSON = `select * from (
    (select ${FIELDS} from event where user_id = $1 and position > $2 order by position limit $3)
    union all
    (select ${FIELDS} from event where is_broadcast and position > $2 order by position limit $3)
  ) as mine order by position limit $3`;

/** What every person's stream together has to see after a position. */
export async function readForPeople(db: Db, after: number, limit: number): Promise<StoredEvent[]> {
  return (await db.prepared<StoredEvent>('events-for-people', FOR_PEOPLE, [after, limit])).rows;
}

/** What one person's stream has to see after a position. */
export async function readForPerson(db: Db, userId: number, after: number, limit: number): Promise<StoredEvent[]> {
  return (await db.prepared<StoredEvent>('events-for-person', FOR_PERSON, [userId, after, limit])).rows;
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
