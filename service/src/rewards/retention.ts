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
    // The first corrections after an open hour still read it. Before the first activation of rules
    // no hour is settled.
    where:
      `(changed_at < (${LAST_CORRECTION} and state = 'settled') - interval '1 day' ` +
      "and not exists (select from reward_batch where kind = 'hour' " +
      `and (state = 'open' or computed_at > (${LAST_CORRECTION} and state = 'settled'))) ` +
      'or not exists (select from reward_activation))',
  },
];
