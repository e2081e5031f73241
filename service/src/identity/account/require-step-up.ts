/** The proof that a payout needs: a factor verified lately, a strong one if there is one. */
import type { Config } from '../../config.ts';
import { type Db, queryNamed, type Transaction } from '../../db/index.ts';
import type { Principal } from '../../http/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';
import { sendMail } from '../../mail/index.ts';
import { changeNotice, type Notice } from '../build-mails.ts';
import { findUser } from '../queries.ts';
import { hasStrongFactor, readFactors } from '../second-factors/available-methods.ts';
import { logSecurityEvent, type SecurityEventType } from '../security-log.ts';
import type { RequestOrigin } from '../types.ts';

/** `strong`: by authenticator or passkey; `email`: the account has nothing stronger. */
export type StepUp = 'strong' | 'email';

/** RFC 8176 values of factors that do not depend on the mailbox. */
const STRONG: readonly (string | null)[] = ['otp', 'hwk', 'swk'];

export interface StepUpDeps {
  readonly clock: Clock;
  readonly config: Pick<Config, 'REAUTHENTICATION_TTL'>;
}

/** Factors that the caller's session proved within the time that allows security changes. */
async function listFreshFactors(
  db: Db,
  { clock, config }: StepUpDeps,
  { userId, sid, authTime, amr }: Principal,
): Promise<(string | null)[]> {
  const since = new Date(clock.now().getTime() - config.REAUTHENTICATION_TTL * 1000);
  const { rows } = await queryNamed<{ factor: string | null }>(
    db,
    'select factor from reauthentication where sid = :sid and user_id = :user_id and at > :since',
    { sid, user_id: userId, since },
  );
  const ofLogin = authTime && authTime > since ? amr : [];
  return [...ofLogin, ...rows.map(({ factor }) => factor)];
}

/**
 * How the caller proved lately who they are. An account with a strong factor must have used it.
 * @throws `reauthentication_required`, `wrong_token_kind`
 */
export async function requireStepUp(db: Db, deps: StepUpDeps, caller: Principal): Promise<StepUp> {
  const { userId, sid } = caller;
  if (userId === undefined || sid === undefined)
    throw failure('wrong_token_kind', { detail: 'This route requires the token of a session.' });
  const factors = await listFreshFactors(db, deps, caller);
  if (factors.some((factor) => STRONG.includes(factor))) return 'strong';
  if (factors.length === 0) throw failure('reauthentication_required');
  if (!hasStrongFactor(await readFactors(db, userId))) return 'email';
  throw failure('reauthentication_required', {
    detail: 'The authenticator or a passkey must be verified again; an email code is not enough.',
  });
}

export interface OwnersNotice {
  readonly userId: number;
  readonly type: SecurityEventType;
  readonly origin: RequestOrigin;
  readonly notice?: Notice;
  readonly details?: Readonly<Record<string, string | number | boolean>>;
}

/** Writes the security log, and mails the owner of the account. */
export async function notifyOwner(
  tx: Transaction,
  clock: Clock,
  { notice, ...event }: OwnersNotice,
): Promise<void> {
  await logSecurityEvent(tx, clock, event);
  const user = notice && (await findUser(tx, event.userId));
  if (!notice || !user) return;
  const { email, nickname } = user;
  const recipient = { to: email, userId: event.userId, nickname, language: event.origin.language };
  await sendMail(tx, clock, changeNotice(recipient, notice));
}

/** True for a person with a factor that does not depend on the mailbox. */
export async function hasStrongSecondFactor(db: Db, userId: number): Promise<boolean> {
  return hasStrongFactor(await readFactors(db, userId));
}
