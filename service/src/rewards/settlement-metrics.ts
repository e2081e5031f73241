/** How far the settlement of rewards is behind, and settlements that failed. */
import type { Db } from '../db/index.ts';
import type { Metrics } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { HOUR_MS } from './rules.ts';
import { lastHour } from './settlements.ts';

interface SettlementMetricsDeps {
  readonly database: Db;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** How long after its end an hour waits for reports. */
  readonly grace_s: number;
}

/** Seconds for which the next hour has been due; 0 where none is, or rewards never began. */
async function measureLag({ database, clock, grace_s }: SettlementMetricsDeps): Promise<number> {
  const last = await lastHour(database);
  if (!last) return 0;
  const dueAt_ms = last.getTime() + 2 * HOUR_MS + grace_s * 1000;
  return Math.max(0, (clock.now().getTime() - dueAt_ms) / 1000);
}

export function registerSettlementMetrics(deps: SettlementMetricsDeps): void {
  const { database, metrics } = deps;
  metrics.gauge(
    'edge_account_settlement_lag_seconds',
    'How long the next hour of rewards has been due.',
    'kind',
    async () => ({ hour: await measureLag(deps) }),
  );
  metrics.gauge(
    'edge_account_settlement_batches',
    'Settlements that are not finished, and those of them that failed.',
    'state',
    async () => {
      const { rows } = await database.query<{ unfinished: number; failed: number }>(
        `select count(*)::int as unfinished,
           count(*) filter (where failure is not null)::int as failed
         from reward_batch where state <> 'settled'`,
      );
      return { ...rows[0] };
    },
  );
}
