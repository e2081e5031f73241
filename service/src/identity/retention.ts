/** How long the tables of sign-in keep their rows. */
import type { RetentionRule } from '../db/index.ts';

const DAY_S = 86_400;

export const IDENTITY_RETENTION: readonly RetentionRule[] = [
  {
    table: 'ticket',
    key: 'ticket_hash',
    since: 'expires_at',
    kept_s: DAY_S,
    rowsPerDay: 2_000_000,
  },
  {
    table: 'registration',
    key: 'ticket_hash',
    since: 'expires_at',
    kept_s: DAY_S,
    rowsPerDay: 100_000,
  },
  { table: 'reauthentication', key: 'sid', since: 'at', kept_s: DAY_S, rowsPerDay: 200_000 },
  {
    table: 'user_session',
    key: 'sid',
    since: 'expires_at',
    kept_s: 30 * DAY_S,
    rowsPerDay: 1_000_000,
  },
  {
    table: 'security_event',
    key: 'id',
    since: 'created_at',
    kept_s: 400 * DAY_S,
    rowsPerDay: 4_000_000,
  },
  { table: 'token_revocation', key: 'id', since: 'until', kept_s: 0, rowsPerDay: 2_000_000 },
];
