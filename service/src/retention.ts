/** Which tables forget, and when; docs/operations.md lists them. */
import { type Database, deleteDueRows, measureOverdue, type RetentionRule } from './db/index.ts';
import { DEVICES_RETENTION } from './devices/index.ts';
import { WEBHOOK_RETENTION } from './events/index.ts';
import { IDEMPOTENCY_RETENTION, type Metrics, RATE_LIMIT_RETENTION } from './http/index.ts';
import { IDENTITY_RETENTION } from './identity/index.ts';
import type { Job } from './jobs/index.ts';
import type { Clock } from './lib/clock.ts';
import { MAIL_RETENTION } from './mail/index.ts';
import { OIDC_RETENTION } from './oidc/index.ts';
import { WALLETS_RETENTION } from './wallets/index.ts';

const DELETE_EVERY_MS = 60_000;

export const RETENTION: readonly RetentionRule[] = [
  ...IDENTITY_RETENTION,
  ...OIDC_RETENTION,
  ...DEVICES_RETENTION,
  ...MAIL_RETENTION,
  ...WEBHOOK_RETENTION,
  ...WALLETS_RETENTION,
  IDEMPOTENCY_RETENTION,
  RATE_LIMIT_RETENTION,
];

/** The job that deletes rows past their time, and the metric that shows how far it is behind. */
export function createRetentionJob(database: Database, clock: Clock, metrics: Metrics): Job {
  metrics.gauge(
    'edge_account_retention_overdue_seconds',
    'How long the oldest row of a table is past the time until which rows are kept.',
    'table',
    () => measureOverdue(database, clock, RETENTION),
  );
  return {
    name: 'delete-due-rows',
    every_ms: DELETE_EVERY_MS,
    run: () => deleteDueRows(database, clock, RETENTION),
  };
}
