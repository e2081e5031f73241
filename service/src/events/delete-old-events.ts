/** Events are kept for seven days. */
import { type Database, type Db, queryNamed, transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';

const KEPT_DAYS = 7;
const DAY_MS = 86_400_000;
/** Rows that one step looks at, in the order of positions. */
const STEP_ROWS = 10_000;
/** Without a row that is due in so many steps, the rest is younger. */
const STEPS_WITHOUT_MAX = 10;
/** The metric reads so many: a few that are dated ahead hide none behind them. */
const MEASURED_ROWS = 100;

const dueBefore = (clock: Clock): Date => new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS);

// Only rows that have a position: no row before the last one looked at is still to come.
const LOOK = `with next as (
    select position, created_at from event where position > :after order by position limit :batch
  )
  select count(*)::int as looked, max(position) as last,
    count(*) filter (where created_at < :due::timestamptz)::int as due
  from next`;

// A range of postings goes as a whole; its position is the last of its events'.
const DELETE_EVENTS = `with gone as (
    delete from event
      where position > :after and position <= :last and created_at < :due::timestamptz
      returning position
  )
  select count(*)::int as n, max(position) as position from gone`;

interface Step {
  readonly after: number;
  readonly last: number;
  readonly due: Date;
}

function deleteStep(database: Database, step: Step): Promise<number> {
  return transaction(database, async (tx) => {
    await tx.query('select from event_counter where id = 1 for update');
    const { rows } = await queryNamed<{ n: number; position: number | null }>(tx, DELETE_EVENTS, {
      ...step,
    });
    await tx.query(
      'update event_counter set deleted_position = greatest(deleted_position, $1) where id = 1',
      [rows[0]?.position ?? 0],
    );
    return rows[0]?.n ?? 0;
  });
}

/**
 * Deletes what is too old, step by step; a stream that asks for more than is kept gets a `reset`.
 * Times are nearly in the order of positions: rows that are dated later than those behind them,
 * because of a clock, are passed over.
 */
export async function deleteOldEvents(
  database: Database,
  clock: Clock,
  signal?: AbortSignal,
): Promise<number> {
  const due = dueBefore(clock);
  let total = 0;
  let after = 0;
  let without = 0;
  while (!signal?.aborted && without < STEPS_WITHOUT_MAX) {
    const { rows } = await queryNamed<{ looked: number; due: number; last: number | null }>(
      database,
      LOOK,
      { after, due, batch: STEP_ROWS },
    );
    const { looked = 0, due: dueRows = 0, last } = rows[0] ?? {};
    if (dueRows > 0) total += await deleteStep(database, { after, last: last ?? after, due });
    without = dueRows > 0 ? 0 : without + 1;
    if (looked < STEP_ROWS) break;
    after = last ?? after;
  }
  return total;
}

/** Seconds that the oldest of the first events is past its time; 0: none is. */
export async function measureOldEvents(db: Db, clock: Clock): Promise<number> {
  const { rows } = await queryNamed<{ seconds: number | null }>(
    db,
    `select extract(epoch from :due::timestamptz - min(created_at))::float8 as seconds from (
       select created_at from event where position is not null order by position limit :batch
     ) first where isfinite(created_at)`,
    { due: dueBefore(clock), batch: MEASURED_ROWS },
  );
  return Math.max(0, rows[0]?.seconds ?? 0);
}
