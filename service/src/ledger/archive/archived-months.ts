/** Which months are archived, and how long one has waited for it. */
import { type Db, queryNamed } from '../../db/index.ts';
import type { Metrics } from '../../http/index.ts';
import { startOfDay, toDay } from '../../lib/calendar.ts';
import { getLedgerContext } from '../ledger-context.ts';

/** From the month of the first head on, up to the one before the month of a day. */
const MONTHS_BEFORE = (day: string): string => `generate_series(
    (select date_trunc('month', min(day)::timestamp) from ledger_head),
    date_trunc('month', ${day}::timestamp) - interval '1 month', interval '1 month') as m`;

const RECORD = `insert into ledger_archived (month, archived_at)
  select m::date, :now from ${MONTHS_BEFORE('(:day::date + 1)')}
  on conflict (month) do nothing`;

/**
 * Notes the months that are archived. Safe to run twice.
 * @param day of the newest head up to which the archive has every file
 */
export async function recordArchivedMonths(db: Db, day: string): Promise<void> {
  await queryNamed(db, RECORD, { now: getLedgerContext(db).clock.now(), day });
}

const OLDEST = `select (min(m) + interval '1 month')::date::text as ended
  from ${MONTHS_BEFORE(':today::date')}
  where not exists (select from ledger_archived where month = m::date)`;

/** Seconds since the end of the oldest month that is over and not archived; 0: none is. */
export async function measureArchiveLag(db: Db): Promise<number> {
  const now = getLedgerContext(db).clock.now();
  const { rows } = await queryNamed<{ ended: string | null }>(db, OLDEST, { today: toDay(now) });
  const ended = rows[0]?.ended;
  return ended ? Math.max(0, (now.getTime() - startOfDay(ended).getTime()) / 1000) : 0;
}

/** @param isArchived whether the ledger is archived */
export function registerArchiveMetrics(metrics: Metrics, db: Db, isArchived: boolean): void {
  metrics.gauge(
    'edge_account_ledger_archive_lag_seconds',
    'How long the oldest month that is over and not archived has been over.',
    'kind',
    async () => ({ month: isArchived ? await measureArchiveLag(db) : 0 }),
  );
}
