/** Events are kept for seven days. */
import { type Database, transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';

const KEPT_DAYS = 7;
const BATCH = 10_000;

// Only events with a position: the row that marks how far was deleted must never pass one that is still to come.
const DELETE = `with old as (
    select id from event where created_at < $1::timestamptz - make_interval(days => $2) and position is not null order by created_at limit $3
  ), gone as (delete from event using old where event.id = old.id returning event.position)
  select count(*)::int as n, max(position) as position from gone`;

/** Deletes what is too old, in batches; a stream that asks for more than is kept gets a `reset`. */
export async function deleteOldEvents(database: Database, clock: Clock): Promise<number> {
  let total = 0;
  for (;;) {
    const deleted = await transaction(database, async (tx) => {
      await tx.query('select from event_counter where id = 1 for update');
      const { rows } = await tx.query<{ n: number; position: number | null }>(DELETE, [clock.now(), KEPT_DAYS, BATCH]);
      await tx.query('update event_counter set deleted_position = greatest(deleted_position, $1) where id = 1', [rows[0]?.position ?? 0]);
      return rows[0]?.n ?? 0;
    });
    total += deleted;
    if (deleted < BATCH) return total;
  }
}
