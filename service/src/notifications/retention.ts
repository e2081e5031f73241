/** How long notifications are kept. */
import type { RetentionRule } from '../db/index.ts';

export const NOTIFICATIONS_RETENTION: readonly RetentionRule[] = [
  {
    table: 'notification',
    reason: 'The user sees what was missed; the newest 200 of each.',
    since: 'created_at',
    kept_s: 90 * 86_400,
    rowsPerDay: 3_000_000,
  },
];
