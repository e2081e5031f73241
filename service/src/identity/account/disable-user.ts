import { type Db, queryNamed, transaction } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';
import { lockUser } from '../queries.ts';
import { logSecurityEvent } from '../security-log.ts';
import { endAllSessions } from '../sessions/index.ts';
import { deleteTickets } from '../tickets.ts';
import type { RequestOrigin, User } from '../types.ts';

export interface StatusChange {
  readonly userId: number;
  /** The operator's client. */
  readonly clientId: string;
  /** The operator, where a user acts and not a server. */
  readonly operatorId?: number;
  readonly reason?: string;
  readonly origin: RequestOrigin;
}

/** Disables an account and ends its sessions. Repeating it changes nothing. @throws `not_found` */
export async function disableUser(db: Db, clock: Clock, change: StatusChange): Promise<User> {
  return setStatus(db, clock, change, 'disabled');
}

/** Enables a disabled account. @throws `not_found` */
export async function enableUser(db: Db, clock: Clock, change: StatusChange): Promise<User> {
  return setStatus(db, clock, change, 'active');
}

async function setStatus(
  db: Db,
  clock: Clock,
  { userId, clientId, operatorId, reason = '', origin }: StatusChange,
  status: 'active' | 'disabled',
): Promise<User> {
  return transaction(db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user || user.status === 'closed') throw failure('not_found');
    if (user.status === status) return user;
    await queryNamed(
      tx,
      'update app_user set status = :status, profile_changed_at = :now where id = :user_id',
      { user_id: userId, status, now: clock.now() },
    );
    if (status === 'disabled') {
      await endAllSessions(tx, clock, { userId, reason: 'account_disabled' });
      await deleteTickets(tx, userId);
    }
    const type = status === 'disabled' ? 'account_disabled' : 'account_enabled';
    await logSecurityEvent(tx, clock, {
      userId,
      type,
      origin,
      details: { client_id: clientId, ...(operatorId && { operator_id: operatorId }), reason },
    });
    return { ...user, status };
  });
}
