/** Gives committed events their positions, one assigner at a time, and notifies every instance. */
import { announce, type Database, queryNamed, transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';

/** Announced whenever there is something new to read. */
export const EVENTS_CHANNEL = 'events';
const ASSIGNED_ROWS_MAX = 5000;

// Locking the counter is a statement of its own: the next one takes its snapshot afterwards, and
// therefore sees whatever was committed before the lock was granted.
const LOCK_COUNTER = 'select last_position from event_counter where id = 1 for update skip locked';
// A range of postings takes two positions for each of them, and stands at the last one. An event of
// an instance whose clock is ahead gets the time of its position: in the order of positions, times
// then differ by what transactions last, and the oldest events stand first.
const ASSIGN_POSITIONS = `with waiting as (
    select id, case when shard is null then 1 else 2 * transfers::bigint end as places from event
      where position is null order by id limit :batch
  ), fresh as (
    select id, sum(places) over (order by id) as n from waiting
  ), given as (
    update event set position = :before::bigint + fresh.n,
      created_at = case when created_at > :now::timestamptz + interval '1 minute'
        then :now::timestamptz else created_at end
      from fresh where event.id = fresh.id
  ), total as (
    select count(*) as rows, max(n)::bigint as n from fresh
  )
  update event_counter set last_position = last_position + total.n from total
    where event_counter.id = 1 and total.rows > 0 returning total.rows`;

/** @returns how many rows got a position */
async function assignBatch(database: Database, clock: Clock): Promise<number> {
  return transaction(database, async (tx) => {
    const { rows: locked } = await tx.query<{ last_position: number }>(LOCK_COUNTER);
    if (!locked[0]) return 0;
    const before = locked[0].last_position;
    const values = { before, batch: ASSIGNED_ROWS_MAX, now: clock.now() };
    const { rows } = await queryNamed<{ rows: number }>(tx, ASSIGN_POSITIONS, values);
    if (!rows[0]) return 0;
    announce(tx, EVENTS_CHANNEL);
    return rows[0].rows;
  });
}

/**
 * Gives positions to all events that have none. Safe on any number of instances: one that finds
 * the counter locked leaves.
 * @returns how many rows got a position; a range of postings is one
 */
export async function assignPositions(database: Database, clock: Clock): Promise<number> {
  let total = 0;
  for (;;) {
    const { rowCount } = await database.prepared(
      'events-waiting',
      'select from event where position is null limit 1',
    );
    if (rowCount === 0) return total;
    const assigned = await assignBatch(database, clock);
    total += assigned;
    if (assigned < ASSIGNED_ROWS_MAX) return total;
  }
}
