/** The person who changes their own account, and the proof that it is really them. */
import type { FastifyRequest } from 'fastify';
import type { Db, Transaction } from '../../db/index.ts';
import { callerOf, callingUserId } from '../../http/index.ts';
import { failure } from '../../lib/failures.ts';
import { sendMail } from '../../mail/index.ts';
import { originOf } from '../browser-cookie.ts';
import { changeNotice, type Notice } from '../build-mails.ts';
import type { IdentityContext } from '../context.ts';
import { lockUser } from '../queries.ts';
import { logSecurityEvent, type SecurityEventType } from '../security-log.ts';
import { endAllSessions } from '../sessions/index.ts';
import type { Asker, User } from '../types.ts';

export interface Manager {
  readonly userId: number;
  readonly sid: string;
  readonly authTime?: Date;
  readonly origin: Asker;
}

/** What the routes of this kind need: the business token of a session, with the scope that only first-party clients get. */
export const manages = { access: { scopes: ['identity:manage'], tokens: ['business'] as const } };

export function requireFullSession(request: FastifyRequest): Manager {
  const { sid, authTime } = callerOf(request);
  if (sid === undefined)
    throw failure('wrong_token_kind', { detail: 'This needs the token of a session.' });
  return {
    userId: callingUserId(request),
    sid,
    ...(authTime && { authTime }),
    origin: originOf(request),
  };
}

/**
 * Lets pass who proved password and second factor lately: by signing in, or by `/me/reauthenticate`.
 * @throws `reauthentication_required`
 */
export async function requireFreshProof(
  db: Db,
  { clock, config }: IdentityContext,
  { userId, sid, authTime }: Manager,
): Promise<void> {
  const since = new Date(clock.now().getTime() - config.REAUTHENTICATION_TTL * 1000);
  if (authTime && authTime > since) return;
  const { rowCount } = await db.query(
    'select 1 from reauthentication where sid = $1 and user_id = $2 and at > $3',
    [sid, userId, since],
  );
  if (rowCount === 0) throw failure('reauthentication_required');
}

/** The person, locked, for a change of their account. @throws `not_found` */
export async function lockReauthenticatedUser(tx: Transaction, userId: number): Promise<User> {
  const user = await lockUser(tx, userId);
  if (user?.status !== 'active') throw failure('not_found');
  return user;
}

export interface Change {
  readonly type: SecurityEventType;
  /** What the owner is written; absent: no mail. */
  readonly notice?: Notice;
  readonly details?: Readonly<Record<string, string | number | boolean>>;
  readonly endsOtherSessions?: boolean;
}

/** What every change of an account's safety brings with it: the log, a mail, and the end of other sessions where it was asked for. */
export async function finishSecurityChange(
  tx: Transaction,
  { clock }: IdentityContext,
  user: User,
  manager: Manager,
  change: Change,
): Promise<void> {
  const { type, notice, details, endsOtherSessions = false } = change;
  const { userId, sid, origin } = manager;
  await logSecurityEvent(tx, clock, { userId, type, origin, ...(details && { details }) });
  if (endsOtherSessions) {
    await endAllSessions(tx, clock, { userId, reason: type, exceptSid: sid });
    await logSecurityEvent(tx, clock, { userId, type: 'other_sessions_ended', origin });
  }
  if (notice !== undefined)
    await sendMail(
      tx,
      clock,
      changeNotice({ to: user.email, nickname: user.nickname, language: origin.language }, notice),
    );
}
