/** How far the settlement of rewards is behind, and settlements that failed. */
import type { Db } from '../db/index.ts';
import type { Metrics } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { measureNotArchived } from './archive/measure-not-archived.ts';
import { measureWaiting } from './archive/measure-waiting.ts';
import type { RemovalTimes } from './archive/remove-archived.ts';
import { HOUR_MS } from './rules.ts';
import { lastHour } from './settlements.ts';

interface SettlementDeps {
  readonly database: Db;
  readonly clock: Clock;
  /** How long after its end an hour waits for reports. */
  readonly grace_s: number;
}

interface SettlementMetricsDeps extends SettlementDeps {
  readonly metrics: Metrics;
  /** Whether settlements are archived. */
  readonly isArchiving: boolean;
  /** When lines and usage are removed; undefined: never. */
  readonly removal: RemovalTimes | undefined;
}

/** Seconds for which the next hour has been due; 0 where none is, or rewards never began. */
export async function measureSettlementLag({
  database,
  clock,
  grace_s,
}: SettlementDeps): Promise<number> {
  const last = await lastHour(database);
  if (!last) return 0;
  const dueAt_ms = last.getTime() + 2 * HOUR_MS + grace_s * 1000;
  return Math.max(0, (clock.now().getTime() - dueAt_ms) / 1000);
}

/**
 * Settlements that are not finished, and those of them that failed; the first 1,000 of them. One
 * that waits for the payment of its day is none of them.
 */
export async function countSettlements(db: Db): Promise<{ unfinished: number; failed: number }> {
  const { rows } = await db.query<{ unfinished: number; failed: number }>(
    `select count(*)::int as unfinished,
       count(*) filter (where failure is not null)::int as failed
     from (
         select failure from reward_batch
         where state <> 'settled' and (state <> 'computed' or payment_id is not null)
         order by id limit 1000
       ) b`,
  );
  return rows[0] ?? { unfinished: 0, failed: 0 };
}

export function registerSettlementMetrics(deps: SettlementMetricsDeps): void {
  const { database, metrics, clock, isArchiving, removal } = deps;
  metrics.gauge(
    'edge_account_settlement_lag_seconds',
    'How long the next hour of rewards has been due.',
    'kind',
    async () => ({ hour: await measureSettlementLag(deps) }),
  );
  metrics.gauge(
    'edge_account_settlement_batches',
    'Settlements that are not finished, and those of them that failed.',
    'state',
    async () => countSettlements(database),
  );
  metrics.gauge(
    'edge_account_rewards_not_archived_seconds',
    'How long ago the oldest settlement that is not archived was settled; 0 without an archive.',
    'kind',
    async () => ({ settlement: isArchiving ? await measureNotArchived(database, clock) : 0 }),
  );
  metrics.gauge(
    'edge_account_rewards_removal_waiting_seconds',
    'How long the removal of the oldest reward line, and of the usage behind it, has been due.',
    'table',
    async () => (removal ? measureWaiting(database, clock, removal) : {}),
  );
}
