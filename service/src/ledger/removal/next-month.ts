/** Which month is removed next, and how long that has been due. */
import type { Db } from '../../db/index.ts';
import type { Metrics } from '../../http/index.ts';
import { startOfDay, toDay } from '../../lib/calendar.ts';
import { getLedgerContext } from '../ledger-context.ts';
import type { Month } from './month-ranges.ts';

/** First day of the month that begins `count` months after that of a day. */
function monthAfter(day: string, count: number): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return toDay(new Date(Date.UTC(year, month - 1 + count, 1)));
}

/** The month that was begun, or the one after the last: at first, that of the first head. */
const NEXT = `select coalesce(
    (select month from ledger_removal where removed_at is null order by month limit 1),
    (select (max(month) + interval '1 month')::date from ledger_removal),
    (select date_trunc('month', min(day))::date from ledger_head)
  )::text as month`;

/** Undefined: no head was signed yet. */
export async function findNextMonth(db: Db): Promise<Month | undefined> {
  const { rows } = await db.query<{ month: string | null }>(NEXT);
  const first = rows[0]?.month;
  return first ? { first, next: monthAfter(first, 1) } : undefined;
}

/** The day from which on the rows of a month are kept no longer. */
export const dueOn = ({ next }: Month, keptMonths: number): string => monthAfter(next, keptMonths);

/**
 * Seconds for which the removal of the next month has been due, whatever it waits for: its files,
 * lines of rewards that name its bills, or an instance.
 */
export async function measureWaiting(db: Db, keptMonths: number): Promise<number> {
  const month = await findNextMonth(db);
  if (!month) return 0;
  const now = getLedgerContext(db).clock.now();
  return Math.max(0, (now.getTime() - startOfDay(dueOn(month, keptMonths)).getTime()) / 1000);
}

/** @param keptMonths undefined: nothing is removed */
export function registerRemovalMetrics(
  metrics: Metrics,
  db: Db,
  keptMonths: number | undefined,
): void {
  metrics.gauge(
    'edge_account_ledger_removal_waiting_seconds',
    'How long the removal of bills of the oldest month that is not removed has been due.',
    'kind',
    async () => ({ month: keptMonths === undefined ? 0 : await measureWaiting(db, keptMonths) }),
  );
}
