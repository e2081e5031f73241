/** How long the queues of settlement keep their rows. */
import type { RetentionRule } from '../db/index.ts';
import { LAST_CORRECTION } from './settlements.ts';

export const REWARDS_RETENTION: readonly RetentionRule[] = [
  {
    table: 'late_uptime',
    reason: 'Time online that was written late, until a correction has settled it.',
    since: 'changed_at',
    kept_s: 86_400,
    rowsPerDay: 1_000_000,
    // The first corrections after an open hour still read it. No hour before the first activation
    // of rules is ever settled, also while that is to come: none begins in the past.
    where:
      `(changed_at < (${LAST_CORRECTION} and state = 'settled') - interval '1 day' ` +
      "and not exists (select from reward_batch where kind = 'hour' " +
      `and (state = 'open' or computed_at > (${LAST_CORRECTION} and state = 'settled'))) ` +
      "or hour < (select coalesce(min(hour), 'infinity') from reward_activation))",
  },
];
