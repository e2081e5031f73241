/** How long the tables of devices keep their rows. */
import type { RetentionRule } from '../db/index.ts';

export const DEVICES_RETENTION: readonly RetentionRule[] = [
  {
    table: 'device_token',
    reason: 'Tokens that end with their device.',
    since: 'expires_at',
    kept_s: 0,
    rowsPerDay: 2_000_000,
  },
  {
    table: 'connect_ticket',
    reason: 'Opens a live connection once.',
    since: 'expires_at',
    kept_s: 0,
    rowsPerDay: 6_000_000,
  },
];
