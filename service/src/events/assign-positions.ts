/** Gives committed events their positions, one assigner at a time, and tells every node. */
import { type Database, transaction } from '../db/index.ts';

/** Notified with the last position whenever there is something new to read. */
export const EVENTS_CHANNEL = 'events';
const BATCH = 5000;

// Locking the counter is a statement of its own: the next one takes its snapshot afterwards, and therefore sees
// whatever was committed before the lock was granted.
const LOCK = 'select last_position from event_counter where id = 1 for update skip locked';
const ASSIGN = `with fresh as (
    select id, row_number() over (order by id) as n from (select id from event where position is null order by id limit $2) as waiting
  ), given as (
    update event set position = $1::bigint + fresh.n from fresh where event.id = fresh.id returning event.position
  ), total as (
    select count(*) as n from given
  )
  update event_counter set last_position = last_position + total.n from total where id = 1 and total.n > 0 returning last_position`;

async function assignBatch(database: Database): Promise<number> {
  return transaction(database, async (tx) => {
    const { rows: locked } = await tx.query<{ last_position: number }>(LOCK);
    if (!locked[0]) return 0;
    const before = locked[0].last_position;
    const { rows } = await tx.query<{ last_position: number }>(ASSIGN, [before, BATCH]);
    if (!rows[0]) return 0;
    await tx.query('select pg_notify($1, $2)', [EVENTS_CHANNEL, String(rows[0].last_position)]);
    return rows[0].last_position - before;
  });
}

/** Gives positions to all events that have none. Safe on any number of nodes: whoever finds the counter taken leaves. */
export async function assignPositions(database: Database): Promise<number> {
  let total = 0;
  for (;;) {
    const { rowCount } = await database.prepared('events-waiting', 'select from event where position is null limit 1');
    if (rowCount === 0) return total;
    const assigned = await assignBatch(database);
    total += assigned;
    if (assigned < BATCH) return total;
  }
}
