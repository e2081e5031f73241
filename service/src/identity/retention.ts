/** How long the tables of sign-in keep their rows. */
import type { RetentionRule } from '../db/index.ts';

const DAY_S = 86_400;

export const IDENTITY_RETENTION: readonly RetentionRule[] = [
  {
    table: 'ticket',
    reason: 'A verification in progress; a day longer, so that a late try gets the right answer.',
    since: 'expires_at',
    kept_s: DAY_S,
    rowsPerDay: 2_000_000,
  },
  {
    table: 'registration',
    reason: 'An address that is not verified yet; a day longer, for the right answer.',
    since: 'expires_at',
    kept_s: DAY_S,
    rowsPerDay: 100_000,
  },
  {
    table: 'reauthentication',
    reason: 'Changes of the account need a proof of the last minutes.',
    since: 'at',
    kept_s: DAY_S,
    rowsPerDay: 200_000,
  },
  {
    table: 'user_session',
    reason: 'The owner sees where sessions were opened, also the ended ones.',
    since: 'expires_at',
    kept_s: 30 * DAY_S,
    rowsPerDay: 1_000_000,
  },
  {
    table: 'security_event',
    reason: 'The owner sees what happened to the account, and abuse can be investigated.',
    since: 'created_at',
    kept_s: 400 * DAY_S,
    rowsPerDay: 4_000_000,
  },
  {
    table: 'known_network',
    reason: 'Networks of users are not asked for challenges; the address is stored as a hash.',
    since: 'last_seen',
    kept_s: 90 * DAY_S,
    rowsPerDay: 20_000,
  },
  {
    table: 'token_revocation',
    reason: 'Refuses tokens until they would have expired.',
    since: 'until',
    kept_s: 0,
    rowsPerDay: 2_000_000,
  },
];
