/** Metrics of the whole instance that belong to no single domain, and the calls of the others. */
import type { AppContext } from './app-context.ts';
import { registerWebhookMetrics } from './events/index.ts';
import { type JobObserver, observeJobs } from './jobs/index.ts';
import { registerArchiveMetrics, registerRemovalMetrics } from './ledger/index.ts';
import { measureKeyAges } from './oidc/index.ts';
import { registerPayoutMetrics } from './payouts/index.ts';
import { registerSettlementMetrics } from './rewards/index.ts';
import { VERSION } from './version.ts';
import { watchReplica } from './watch-replica.ts';

/** @returns what the job runner tells the metrics of its runs */
export function registerServiceMetrics(context: AppContext): JobObserver {
  const { config, database, clock, metrics, tokenState } = context;
  metrics.gauge(
    'edge_account_build_info',
    'Always 1; the label is the version of the service.',
    'version',
    async () => ({ [VERSION]: 1 }),
  );
  metrics.gauge(
    'edge_account_feed_age_seconds',
    'How long ago the feed was read last.',
    'feed',
    async () => ({ revocations: tokenState.age_ms() / 1000 }),
  );
  metrics.gauge(
    'edge_account_revocations',
    'Revocations that the instance keeps in memory, by kind.',
    'kind',
    async () => tokenState.counts(),
  );
  metrics.gauge(
    'edge_account_signing_key_age_seconds',
    'How long the key that signs tokens has been in use.',
    'alg',
    () => measureKeyAges(database, clock),
  );
  watchReplica(context.http, metrics, database.replica);
  registerWebhookMetrics(metrics, database, clock);
  registerArchiveMetrics(metrics, database, config.LEDGER_ARCHIVE_TO !== undefined);
  registerRemovalMetrics(metrics, database, config.LEDGER_KEPT_MONTHS);
  registerPayoutMetrics(metrics, database, clock);
  registerSettlementMetrics({
    ...{ database, clock, metrics, grace_s: config.REWARD_GRACE },
    isArchiving: config.REWARD_ARCHIVE_TO !== undefined,
    removal:
      config.REWARD_KEPT_DAYS === undefined
        ? undefined
        : {
            keptDays: config.REWARD_KEPT_DAYS,
            window_s: config.TRAFFIC_REPORT_WINDOW,
          },
  });
  return observeJobs(metrics, () => clock.now());
}
