/** An operator removes the second factors of a user who has lost them (ADR 0110). */
import { type Db, queryNamed, type Transaction, transaction } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';
import { sendMail } from '../../mail/index.ts';
import type { StatusChange } from '../account/disable-user.ts';
import { changeNotice } from '../build-mails.ts';
import { lockUser } from '../queries.ts';
import { RESTRICTION_MS } from '../second-factors/freeze-money.ts';
import { logSecurityEvent } from '../security-log.ts';
import { endAllSessions } from '../sessions/index.ts';
import { deleteTickets } from '../tickets.ts';

const FACTOR_TABLES = ['authenticator', 'passkey', 'recovery_code'] as const;

/** EMAIL is the only factor then, also where it was barred: there would be none. */
async function removeFactors(tx: Transaction, clock: Clock, userId: number): Promise<void> {
  for (const table of FACTOR_TABLES)
    await tx.query(`delete from ${table} where user_id = $1`, [userId]);
  await queryNamed(
    tx,
    `insert into user_security as s (user_id, is_email_factor_on, money_frozen_until)
     values (:user_id, false, :until)
     on conflict (user_id) do update set
       is_email_factor_on = false, email_factor_barred_until = null,
       money_frozen_until = greatest(s.money_frozen_until, excluded.money_frozen_until)`,
    { user_id: userId, until: new Date(clock.now().getTime() + RESTRICTION_MS) },
  );
}

async function isOperator(tx: Transaction, userId: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    'select 1 from app_user where id = $1 and cardinality(operator_scopes) > 0',
    [userId],
  );
  return rowCount > 0;
}

/**
 * Removes authenticator, passkeys and recovery codes, ends every session, and freezes conversions
 * and withdrawals for 24 hours; the owner gets a mail. The password stays: an operator cannot sign
 * in with this.
 * @returns the number of sessions that ended
 * @throws `not_found` for an unknown, disabled or closed account; `operator_account`
 */
export async function resetSecondFactors(
  db: Db,
  clock: Clock,
  { userId, clientId, operatorId, reason = '', origin }: StatusChange,
): Promise<number> {
  return transaction(db, async (tx) => {
    const user = await lockUser(tx, userId);
    if (user?.status !== 'active') throw failure('not_found');
    if (await isOperator(tx, userId))
      throw failure('operator_account', {
        detail: 'Take the operator scopes from the account first (`edge-account operator revoke`).',
      });
    await removeFactors(tx, clock, userId);
    const ended = await endAllSessions(tx, clock, { userId, reason: 'second_factors_reset' });
    await deleteTickets(tx, userId);
    await logSecurityEvent(tx, clock, {
      userId,
      type: 'second_factors_reset',
      origin,
      details: { client_id: clientId, ...(operatorId && { operator_id: operatorId }), reason },
    });
    const { email, nickname } = user;
    const recipient = { to: email, userId, nickname, language: origin.language };
    await sendMail(tx, clock, changeNotice(recipient, { kind: 'secondFactorsReset' }));
    return ended;
  });
}
