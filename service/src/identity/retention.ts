/** How long the tables of sign-in keep their rows. */
import type { RetentionRule } from '../db/index.ts';

const DAY_S = 86_400;

export const IDENTITY_RETENTION: readonly RetentionRule[] = [
  { table: 'ticket', key: 'ticket_hash', since: 'expires_at', kept_s: DAY_S },
  { table: 'registration', key: 'ticket_hash', since: 'expires_at', kept_s: DAY_S },
  { table: 'reauthentication', key: 'sid', since: 'at', kept_s: DAY_S },
  { table: 'user_session', key: 'sid', since: 'expires_at', kept_s: 30 * DAY_S },
  { table: 'security_event', key: 'id', since: 'created_at', kept_s: 400 * DAY_S },
  { table: 'token_revocation', key: 'id', since: 'until', kept_s: 0 },
];
