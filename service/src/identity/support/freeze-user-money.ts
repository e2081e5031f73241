/** An operator freezes the money of a user, and releases it (ADR 0133). */
import { type Db, queryNamed, type Transaction, transaction } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';
import { sendMail } from '../../mail/index.ts';
import type { StatusChange } from '../account/disable-user.ts';
import { changeNotice } from '../build-mails.ts';
import { lockUser } from '../queries.ts';
import { logSecurityEvent, readNewestDetails } from '../security-log.ts';
import type { User } from '../types.ts';

export interface MoneyFreeze {
  readonly since: Date;
  /** Of the operator; absent: a server froze it, or the security log no longer says who. */
  readonly operatorId?: number;
  readonly reason?: string;
}

/** How an operator froze the money of a user; undefined: it is not frozen by one. */
export async function readMoneyFreeze(db: Db, userId: number): Promise<MoneyFreeze | undefined> {
  const { rows } = await db.query<{ since: Date | null }>(
    'select money_frozen_since as since from user_security where user_id = $1',
    [userId],
  );
  const since = rows[0]?.since;
  if (!since) return undefined;
  const { operator_id: operatorId, reason } =
    (await readNewestDetails(db, userId, 'money_frozen')) ?? {};
  return {
    since,
    ...(typeof operatorId === 'number' && { operatorId }),
    ...(typeof reason === 'string' && reason !== '' && { reason }),
  };
}

const FREEZE = `insert into user_security as s (user_id, money_frozen_since) values (:user_id, :now)
  on conflict (user_id) do update set money_frozen_since = :now
    where s.money_frozen_since is null`;
const RELEASE = `update user_security set money_frozen_since = null
  where user_id = :user_id and money_frozen_since is not null`;

/** @returns false when nothing changed */
async function write(tx: Transaction, userId: number, frozenAt: Date | null): Promise<boolean> {
  const { rowCount } =
    frozenAt === null
      ? await queryNamed(tx, RELEASE, { user_id: userId })
      : await queryNamed(tx, FREEZE, { user_id: userId, now: frozenAt });
  return rowCount > 0;
}

interface Change {
  readonly type: 'money_frozen' | 'money_released';
  readonly notice: 'moneyFrozen' | 'moneyReleased';
  readonly frozenAt: Date | null;
}

async function change(
  db: Db,
  clock: Clock,
  { userId, clientId, operatorId, reason = '', origin }: StatusChange,
  { type, notice, frozenAt }: Change,
): Promise<User> {
  return transaction(db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user || user.status === 'closed') throw failure('not_found');
    if (!(await write(tx, userId, frozenAt))) return user;
    await logSecurityEvent(tx, clock, {
      ...{ userId, type, origin },
      details: { client_id: clientId, ...(operatorId && { operator_id: operatorId }), reason },
    });
    const { email, nickname } = user;
    const recipient = { to: email, userId, nickname, language: origin.language };
    await sendMail(tx, clock, changeNotice(recipient, { kind: notice }));
    return user;
  });
}

/**
 * Freezes conversions and withdrawals of a user, until an operator releases them; the owner gets a
 * mail. Payouts that were not sent yet go back to review. Harmless when repeated.
 * @throws `not_found` for an unknown or closed account
 */
export function freezeUserMoney(db: Db, clock: Clock, order: StatusChange): Promise<User> {
  const how = { type: 'money_frozen', notice: 'moneyFrozen', frozenAt: clock.now() } as const;
  return change(db, clock, order, how);
}

/**
 * Ends a freeze by an operator. One after a reset by email ends by itself. Harmless when repeated.
 * @throws `not_found` for an unknown or closed account
 */
export function releaseUserMoney(db: Db, clock: Clock, order: StatusChange): Promise<User> {
  const how = { type: 'money_released', notice: 'moneyReleased', frozenAt: null } as const;
  return change(db, clock, order, how);
}
