/** Whether all hours of a UTC day were settled. */
import { type Db, defineStatement, execute } from '../db/index.ts';
import { HOUR_MS } from './rules.ts';

const DAY_MS = 24 * HOUR_MS;

// Hours are computed in their order, and one may be paid after the next. A network whose rules
// begin later, or never, has none to wait for.
const LAST_HOUR = defineStatement(
  'rewards-last-hour-of-day',
  `select
     exists (select from reward_batch where kind = 'hour' and hour = :last_hour)
       and not exists (select from reward_batch where kind = 'hour' and state <> 'settled'
         and hour >= :first_hour and hour <= :last_hour) as settled,
     exists (select from reward_activation where hour <= :last_hour) as awaited`,
);

/** True once the last hour of `day` (`yyyy-MM-dd`) is over and paid, or was not to be paid. */
export async function isDayPaid(db: Db, day: string, now: Date): Promise<boolean> {
  const start_ms = Date.parse(`${day}T00:00:00Z`);
  const end_ms = start_ms + DAY_MS;
  if (now.getTime() < end_ms) return false;
  const values = { first_hour: new Date(start_ms), last_hour: new Date(end_ms - HOUR_MS) };
  const { rows } = await execute<{ settled: boolean; awaited: boolean }>(db, LAST_HOUR, values);
  return rows[0] !== undefined && (rows[0].settled || !rows[0].awaited);
}
