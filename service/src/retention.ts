/** Which tables forget, and when; docs/operations.md lists them. */
import {
  type Database,
  deleteDueRows,
  measureOverdue,
  type RetentionRule,
  readFromPrimary,
} from './db/index.ts';
import { DEVICES_RETENTION } from './devices/index.ts';
import { deleteOldEvents, measureOldEvents, WEBHOOK_RETENTION } from './events/index.ts';
import { IDEMPOTENCY_RETENTION, type Metrics, RATE_LIMIT_RETENTION } from './http/index.ts';
import { IDENTITY_RETENTION } from './identity/index.ts';
import type { Job } from './jobs/index.ts';
import type { Clock } from './lib/clock.ts';
import { MAIL_RETENTION } from './mail/index.ts';
import { NOTIFICATIONS_RETENTION } from './notifications/index.ts';
import { OIDC_RETENTION } from './oidc/index.ts';
import { REWARDS_RETENTION } from './rewards/index.ts';
import { WALLETS_RETENTION } from './wallets/index.ts';

const DELETE_EVERY_MS = 60_000;
const DELETE_EVENTS_EVERY_MS = 600_000;

export const RETENTION: readonly RetentionRule[] = [
  ...IDENTITY_RETENTION,
  ...OIDC_RETENTION,
  ...DEVICES_RETENTION,
  ...MAIL_RETENTION,
  ...NOTIFICATIONS_RETENTION,
  ...WEBHOOK_RETENTION,
  ...WALLETS_RETENTION,
  ...REWARDS_RETENTION,
  IDEMPOTENCY_RETENTION,
  RATE_LIMIT_RETENTION,
];

/**
 * Seconds for which the oldest row of each table is past the time until which rows are kept. Some
 * of the tables are not logged, so that only the primary has them.
 */
export function measureRetention(
  database: Database,
  clock: Clock,
): Promise<Record<string, number>> {
  return readFromPrimary(async () => ({
    ...(await measureOverdue(database, clock, RETENTION)),
    event: await measureOldEvents(database, clock),
  }));
}

/** The jobs that delete rows past their time, and the metric that shows how far they are behind. */
export function createRetentionJobs(database: Database, clock: Clock, metrics: Metrics): Job[] {
  metrics.gauge(
    'edge_account_retention_overdue_seconds',
    'How long the oldest row of a table is past the time until which rows are kept.',
    'table',
    () => measureRetention(database, clock),
  );
  return [
    {
      name: 'delete-due-rows',
      every_ms: DELETE_EVERY_MS,
      run: (signal) => deleteDueRows(database, clock, RETENTION, signal),
    },
    {
      name: 'delete-old-events',
      every_ms: DELETE_EVENTS_EVERY_MS,
      run: (signal) => deleteOldEvents(database, clock, signal),
    },
  ];
}
