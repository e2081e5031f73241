/** What closing an account erases at once, by whom it may be closed. */
import { queryNamed, type Transaction } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { scheduleErasure } from '../erasure/person-keys.ts';
import { endAllSessions } from '../sessions/index.ts';
import { deleteTickets } from '../tickets.ts';

/** Tables with credentials of a user. */
export const FACTOR_TABLES = [
  'authenticator',
  'recovery_code',
  'passkey',
  'upstream_identity',
  'user_security',
  'reauthentication',
] as const;

const CLOSE = `update app_user set status = 'closed', password_hash = null,
    email = 'closed-' || id || '@account.invalid',
    email_key = 'closed-' || id || '@account.invalid',
    nickname = 'Closed account', groups = '{}'
  where id = any(:user_ids::bigint[])`;

/**
 * Ends all sessions, and erases names, password and factors. What else identifies is erased
 * `ttl_s` seconds later. The caller has locked the users.
 */
export async function closeUsers(
  tx: Transaction,
  clock: Clock,
  userIds: readonly number[],
  ttl_s: number,
): Promise<void> {
  if (userIds.length === 0) return;
  const now = clock.now();
  const at = new Date(now.getTime() + ttl_s * 1000);
  for (const table of FACTOR_TABLES)
    await tx.query(`delete from ${table} where user_id = any($1::bigint[])`, [userIds]);
  await queryNamed(tx, CLOSE, { user_ids: userIds });
  for (const userId of userIds) {
    await endAllSessions(tx, clock, { userId, reason: 'account_closed' });
    await deleteTickets(tx, userId);
    await scheduleErasure(tx, userId, { now, at });
  }
}
