/** Turns events into deliveries, one per webhook that wants them. */
import { type Database, type Transaction, transaction } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { byPosition, describeRanges, type PostingSource } from '../postings.ts';
import { type PostingRange, RANGE_FIELDS, readCounter, type StoredEvent } from '../read-events.ts';

/** Rows of one step, and events and postings that these may stand for; a single range may exceed it. */
const STEP = 1000;

// Positions are given after the commit, so everything up to the last one is there to be read. A range of postings is
// read in the step that holds its last position: steps end between rows, so that is the whole range.
const STEP_END = `select max(position) as "upTo" from (
    select position, sum(coalesce(transfers, 1)) over (order by position) - coalesce(transfers, 1) as before
    from (select position, transfers from event where position > $1 and position <= $2 order by position limit ${STEP}) as row
  ) as counted where before < ${STEP}`;

const WANTED = `e.position > $2 and e.position <= $3 and (w.event_types = '{}' or exists (
    select from unnest(w.event_types) as wanted
      where wanted = e.type or (right(wanted, 2) = '.*' and starts_with(e.type, left(wanted, -1)))))`;

const RANGES = `select ${RANGE_FIELDS} from webhook w join event e on ${WANTED}
  where w.id = $1 and e.shard is not null order by e.position`;

const FAN_OUT = `insert into webhook_delivery (webhook_id, event_position, type, body, state, next_attempt_at, created_at)
  select $1, e.position, e.type,
      '{"type":"' || e.type || '","timestamp":"' || to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'
        || case when e.user_id is null then '' else ',"user_id":' || e.user_id end || ',"data":' || e.data || '}',
      'pending', $4, $4
    from (
      select e.position, e.type, e.created_at, e.user_id, e.data from webhook w join event e on ${WANTED}
        where w.id = $1 and e.shard is null
      union all
      select * from unnest($5::bigint[], $6::text[], $7::timestamptz[], $8::bigint[], $9::text[])
    ) as e
    order by e.position
  on conflict on constraint webhook_delivery_event_key do nothing`;

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
  const { rows: ranges } = await tx.query<PostingRange>(RANGES, [webhookId, after, upTo]);
  const events = await describe(ranges);
  await tx.query(FAN_OUT, [
    ...[webhookId, after, upTo, clock.now()],
    events.map((event) => event.position),
    events.map((event) => event.type),
    events.map((event) => event.createdAt),
    events.map((event) => event.userId),
    events.map((event) => event.data),
  ]);
  await tx.query('update webhook set position = $2 where id = $1', [webhookId, upTo]);
}

/** Finds where steps end; webhooks that stand at one place share the answer. */
function createStepEnds(tx: Transaction, lastPosition: number): (after: number) => Promise<number> {
  const ends = new Map<number, number>();
  return async (after) => {
    const known = ends.get(after);
    if (known !== undefined) return known;
    const { rows } = await tx.query<{ upTo: number | null }>(STEP_END, [after, lastPosition]);
    const upTo = rows[0]?.upTo ?? lastPosition;
    ends.set(after, upTo);
    return upTo;
  };
}

/** Brings every webhook one step on. @returns true when some have further to go */
async function step(database: Database, clock: Clock, postings: PostingSource): Promise<boolean> {
  return transaction(database, async (tx) => {
    const { lastPosition } = await readCounter(tx);
    const { rows } = await tx.query<{ id: number; position: number }>(
      'select id, position from webhook where is_active and position < $1 order by id for update skip locked',
      [lastPosition],
    );
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

/** Makes the deliveries of all new events. Safe on any number of nodes. */
export async function fanOut(
  database: Database,
  clock: Clock,
  postings: PostingSource,
): Promise<void> {
  while (await step(database, clock, postings));
}
