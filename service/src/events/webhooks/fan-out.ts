/** Turns events into deliveries, one per webhook that wants them. */
import {
  type Database,
  defineStatement,
  execute,
  type Transaction,
  transaction,
} from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { byPosition, describeRanges, type PostingSource } from '../postings.ts';
import { type PostingRange, RANGE_FIELDS, readCounter, type StoredEvent } from '../read-events.ts';

/**
 * Rows of one step, and events and postings that these may stand for; a single range may exceed it.
 */
const STEP_ROWS = 1000;

// Positions are assigned after the commit, so all rows up to the last one can be read. A range of
// postings is read in the step that holds its last position; steps end between rows.
const STEP_END = defineStatement(
  'webhooks-step-end',
  `select max(position) as "upTo" from (
     select position, sum(events) over (order by position) - events as before
     from (
       select position, coalesce(transfers, 1) as events from event
       where position > :after and position <= :last order by position limit ${STEP_ROWS}) as row
   ) as counted where before < ${STEP_ROWS}`,
);

/** Events of a step that a webhook receives. */
const RECEIVED = `e.position > :after and e.position <= :up_to
  and (w.event_types = '{}' or exists (
    select from unnest(w.event_types) as pattern
    where pattern = e.type
      or (right(pattern, 2) = '.*' and starts_with(e.type, left(pattern, -1)))))`;

const FIND_RANGES = defineStatement(
  'webhooks-find-ranges',
  `select ${RANGE_FIELDS} from webhook w join event e on ${RECEIVED}
   where w.id = :webhook_id and e.shard is not null order by e.position`,
);

/** The data is inserted as text, so that amounts keep their digits. */
const FAN_OUT = defineStatement(
  'webhooks-fan-out',
  `insert into webhook_delivery (webhook_id, event_position, type, body, state, next_attempt_at,
     created_at)
   select :webhook_id, e.position, e.type,
     concat('{"type":"', e.type, '","timestamp":"',
       to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '"',
       ',"user_id":' || e.user_id, ',"data":', e.data, '}'),
     'pending', :now, :now
   from (
     select e.position, e.type, e.created_at, e.user_id, e.data
     from webhook w join event e on ${RECEIVED}
     where w.id = :webhook_id and e.shard is null
     union all
     select * from unnest(:positions::bigint[], :types::text[], :created_at::timestamptz[],
       :user_ids::bigint[], :data::text[])
   ) as e
   order by e.position
   on conflict on constraint webhook_delivery_event_key do nothing`,
);
const MOVE = defineStatement(
  'webhook-move',
  'update webhook set position = :up_to where id = :webhook_id',
);
const LOCK_BEHIND = defineStatement(
  'webhooks-lock-behind',
  `select id, position from webhook where is_active and position < :last
   order by id for update skip locked`,
);

/** Describes ranges, given in the order of their positions. */
type Describe = (ranges: readonly PostingRange[]) => Promise<StoredEvent[]>;

/** Describes each range once, however many webhooks want it. */
function createDescriber(tx: Transaction, postings: PostingSource): Describe {
  const known = new Map<number, StoredEvent[]>();
  return async (ranges) => {
    const fresh = ranges.filter(({ position }) => !known.has(position));
    const events = (await describeRanges(tx, postings, fresh)).sort(byPosition);
    let taken = 0;
    for (const { position } of fresh) {
      const end = events.findIndex((event, i) => i >= taken && event.position > position);
      known.set(position, events.slice(taken, end < 0 ? undefined : end));
      taken = end < 0 ? events.length : end;
    }
    return ranges.flatMap(({ position }) => known.get(position) ?? []);
  };
}

interface Step {
  readonly webhookId: number;
  readonly after: number;
  readonly upTo: number;
}

async function fanOutStep(
  tx: Transaction,
  clock: Clock,
  describe: Describe,
  { webhookId, after, upTo }: Step,
): Promise<void> {
  const step = { webhook_id: webhookId, after, up_to: upTo };
  const { rows: ranges } = await execute<PostingRange>(tx, FIND_RANGES, step);
  const events = await describe(ranges);
  await execute(tx, FAN_OUT, {
    ...step,
    now: clock.now(),
    positions: events.map((event) => event.position),
    types: events.map((event) => event.type),
    created_at: events.map((event) => event.createdAt),
    user_ids: events.map((event) => event.userId),
    data: events.map((event) => event.data),
  });
  await execute(tx, MOVE, step);
}

/** Finds where steps end; webhooks that stand at one place share the answer. */
function createStepEnds(tx: Transaction, lastPosition: number): (after: number) => Promise<number> {
  const ends = new Map<number, number>();
  return async (after) => {
    const known = ends.get(after);
    if (known !== undefined) return known;
    const values = { after, last: lastPosition };
    const { rows } = await execute<{ upTo: number | null }>(tx, STEP_END, values);
    const upTo = rows[0]?.upTo ?? lastPosition;
    ends.set(after, upTo);
    return upTo;
  };
}

/** Brings every webhook one step on. @returns true when some have further to go */
async function step(database: Database, clock: Clock, postings: PostingSource): Promise<boolean> {
  return transaction(database, async (tx) => {
    const { lastPosition } = await readCounter(tx);
    const { rows } = await execute<{ id: number; position: number }>(tx, LOCK_BEHIND, {
      last: lastPosition,
    });
    const describe = createDescriber(tx, postings);
    const endAfter = createStepEnds(tx, lastPosition);
    let isBehind = false;
    for (const { id, position: after } of rows) {
      const upTo = await endAfter(after);
      await fanOutStep(tx, clock, describe, { webhookId: id, after, upTo });
      isBehind ||= upTo < lastPosition;
    }
    return isBehind;
  });
}

/** Makes the deliveries of all new events. Any number of instances may run it. */
export async function fanOut(
  database: Database,
  clock: Clock,
  postings: PostingSource,
): Promise<void> {
  while (await step(database, clock, postings));
}
