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
import { type RetentionSettings, SETTING_OF } from './retention-settings.ts';
import { REWARDS_RETENTION } from './rewards/index.ts';
import { WALLETS_RETENTION } from './wallets/index.ts';

const DAY_S = 86_400;
const DELETE_EVERY_MS = 60_000;
const DELETE_EVENTS_EVERY_MS = 600_000;

/** With the times of the defaults. */
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

/** With the times that the operator chose. */
export function retentionOf(settings: RetentionSettings): RetentionRule[] {
  return RETENTION.map((rule) => {
    const setting = SETTING_OF[rule.table];
    return setting === undefined ? rule : { ...rule, kept_s: settings[setting] * DAY_S };
  });
}

type ReadOverdue = () => Promise<Record<string, number>>;

/**
 * One for all tables whose rows are due by their time alone, and one for each other: it may read
 * many rows that a condition keeps before the first one that is due. Some of the tables are not
 * logged, so that only the primary has them.
 */
function overdueReads(
  database: Database,
  clock: Clock,
  rules: readonly RetentionRule[],
): ReadOverdue[] {
  const plain = rules.filter(({ where }) => where === undefined);
  const others = rules.filter(({ where }) => where !== undefined);
  const reads: ReadOverdue[] = [
    async () => ({
      ...(await measureOverdue(database, clock, plain)),
      event: await measureOldEvents(database, clock),
    }),
    ...others.map((rule) => () => measureOverdue(database, clock, [rule])),
  ];
  return reads.map((read) => () => readFromPrimary(read));
}

/** Seconds for which the oldest row of each table is past the time until which rows are kept. */
export async function measureRetention(
  database: Database,
  clock: Clock,
  settings: RetentionSettings,
): Promise<Record<string, number>> {
  const reads = overdueReads(database, clock, retentionOf(settings));
  const parts = await Promise.all(reads.map((read) => read()));
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
}

export interface RetentionDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly settings: RetentionSettings;
}

/** The jobs that delete rows past their time, and the metric that shows how far they are behind. */
export function createRetentionJobs({ database, clock, metrics, settings }: RetentionDeps): Job[] {
  const rules = retentionOf(settings);
  metrics.gauge(
    'edge_account_retention_overdue_seconds',
    'How long the oldest row of a table is past the time until which rows are kept.',
    'table',
    ...overdueReads(database, clock, rules),
  );
  return [
    {
      name: 'delete-due-rows',
      every_ms: DELETE_EVERY_MS,
      deletesByTime: true,
      run: (signal) => deleteDueRows(database, clock, rules, signal),
    },
    {
      name: 'delete-old-events',
      every_ms: DELETE_EVENTS_EVERY_MS,
      deletesByTime: true,
      run: (signal) => deleteOldEvents(database, clock, signal),
    },
  ];
}
