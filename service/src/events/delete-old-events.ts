/** Events are kept for seven days. */
import { type Database, type Db, queryNamed, transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';

const KEPT_DAYS = 7;
const DAY_MS = 86_400_000;
const DELETED_ROWS_MAX = 10_000;

// In the order of positions, and only rows that have one: no row before the last deleted position
// is still to come. A range of postings goes as a whole; its position is the last of its events'.
const DELETE_EVENTS = `with first as (
    select id, created_at from event where position is not null order by position limit :batch
  ), gone as (
    delete from event using first
      where event.id = first.id
        and first.created_at < :now::timestamptz - make_interval(days => :kept_days)
      returning event.position
  )
  select count(*)::int as n, max(position) as position from gone`;

/** Deletes what is too old, in batches; a stream that asks for more than is kept gets a `reset`. */
export async function deleteOldEvents(
  database: Database,
  clock: Clock,
  signal?: AbortSignal,
): Promise<number> {
  let total = 0;
  while (!signal?.aborted) {
    const deleted = await transaction(database, async (tx) => {
      await tx.query('select from event_counter where id = 1 for update');
      const { rows } = await queryNamed<{ n: number; position: number | null }>(tx, DELETE_EVENTS, {
        now: clock.now(),
        kept_days: KEPT_DAYS,
        batch: DELETED_ROWS_MAX,
      });
      await tx.query(
        'update event_counter set deleted_position = greatest(deleted_position, $1) where id = 1',
        [rows[0]?.position ?? 0],
      );
      return rows[0]?.n ?? 0;
    });
    total += deleted;
    if (deleted < DELETED_ROWS_MAX) break;
  }
  return total;
}

/** Seconds that the oldest event is past its time; 0: it is not. */
export async function measureOldEvents(db: Db, clock: Clock): Promise<number> {
  const { rows } = await db.query<{ created_at: Date }>(
    'select created_at from event where position is not null order by position limit 1',
  );
  const due_ms = clock.now().getTime() - KEPT_DAYS * DAY_MS;
  return Math.max(0, due_ms - (rows[0]?.created_at.getTime() ?? due_ms)) / 1000;
}
