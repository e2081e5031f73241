/** Changes of an account's security: they need a session that was verified lately. */
import type { FastifyRequest } from 'fastify';
import { type Db, queryNamed, type Transaction, transaction } from '../../db/index.ts';
import { callingUserId, getCaller } from '../../http/index.ts';
import { failure } from '../../lib/failures.ts';
import { sendMail } from '../../mail/index.ts';
import { readOrigin } from '../browser-cookie.ts';
import { changeNotice, type Notice } from '../build-mails.ts';
import type { IdentityContext } from '../context.ts';
import { lockUser } from '../queries.ts';
import { logSecurityEvent, type SecurityEventType } from '../security-log.ts';
import { endAllSessions } from '../sessions/index.ts';
import type { RequestOrigin, User } from '../types.ts';

/** A session of the user's own, in which they manage their account. */
export interface FullSession {
  readonly userId: number;
  readonly sid: string;
  readonly authTime?: Date;
  readonly origin: RequestOrigin;
}

/** The business token of a session, with the scope that only first-party clients get. */
export const accountAccess = {
  access: { scopes: ['identity:manage'], tokens: ['business'] as const },
};

export function requireFullSession(request: FastifyRequest): FullSession {
  const { sid, authTime } = getCaller(request);
  if (sid === undefined)
    throw failure('wrong_token_kind', { detail: 'This route requires the token of a session.' });
  return {
    userId: callingUserId(request),
    sid,
    ...(authTime && { authTime }),
    origin: readOrigin(request),
  };
}

/**
 * Requires password and second factor of the last minutes, by a login or `/me/reauthenticate`.
 * @throws `reauthentication_required`
 */
export async function requireFreshProof(
  db: Db,
  { clock, config }: IdentityContext,
  { userId, sid, authTime }: FullSession,
): Promise<void> {
  const since = new Date(clock.now().getTime() - config.REAUTHENTICATION_TTL * 1000);
  if (authTime && authTime > since) return;
  const { rowCount } = await queryNamed(
    db,
    'select 1 from reauthentication where sid = :sid and user_id = :user_id and at > :since',
    { sid, user_id: userId, since },
  );
  if (rowCount === 0) throw failure('reauthentication_required');
}

/** The user, locked for a change of their account. @throws `not_found` */
export async function lockReauthenticatedUser(tx: Transaction, userId: number): Promise<User> {
  const user = await lockUser(tx, userId);
  if (user?.status !== 'active') throw failure('not_found');
  return user;
}

export interface SecurityChange {
  readonly type: SecurityEventType;
  /** The mail to the owner; absent: none. */
  readonly notice?: Notice;
  readonly details?: Readonly<Record<string, string | number | boolean>>;
  readonly endsOtherSessions?: boolean;
}

/** Logs a security change, mails the owner, and ends other sessions where requested. */
export async function finishSecurityChange(
  tx: Transaction,
  { clock }: IdentityContext,
  { user, session }: { readonly user: User; readonly session: FullSession },
  { type, notice, details, endsOtherSessions = false }: SecurityChange,
): Promise<void> {
  const { userId, sid, origin } = session;
  await logSecurityEvent(tx, clock, { userId, type, origin, ...(details && { details }) });
  if (endsOtherSessions) {
    await endAllSessions(tx, clock, { userId, reason: type, exceptSid: sid });
    await logSecurityEvent(tx, clock, { userId, type: 'other_sessions_ended', origin });
  }
  if (notice === undefined) return;
  const { language } = origin;
  const recipient = { to: user.email, userId, nickname: user.nickname, language };
  await sendMail(tx, clock, changeNotice(recipient, notice));
}

/**
 * Runs a security change in a transaction that locks the user.
 * @throws `reauthentication_required`, `not_found`
 */
export async function changeSecurity<T>(
  context: IdentityContext,
  session: FullSession,
  work: (
    tx: Transaction,
    user: User,
  ) => Promise<{
    readonly result: T;
    /** Absent: what was asked for is so already. */
    readonly change?: SecurityChange;
  }>,
): Promise<T> {
  await requireFreshProof(context.database, context, session);
  return transaction(context.database, async (tx) => {
    const user = await lockReauthenticatedUser(tx, session.userId);
    const { result, change } = await work(tx, user);
    if (change) await finishSecurityChange(tx, context, { user, session }, change);
    return result;
  });
}
