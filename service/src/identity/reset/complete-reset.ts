import { type Transaction, transaction } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import { networkOf } from '../../lib/rate-limit-subnet.ts';
import { sendMail } from '../../mail/index.ts';
import { changeNotice } from '../build-mails.ts';
import type { IdentityContext } from '../context.ts';
import { accountSubject } from '../limits.ts';
import { checkPasswordChoice } from '../passwords.ts';
import { findUser, lockUser } from '../queries.ts';
import { type FactorFields, readProof, verifyFactor } from '../second-factors/verify-factor.ts';
import { logSecurityEvent } from '../security-log.ts';
import { endAllSessions } from '../sessions/index.ts';
import {
  consumeAttempt,
  consumeTicket,
  deleteTickets,
  readTicket,
  type Ticket,
} from '../tickets.ts';
import type { Asker, User } from '../types.ts';
import { presentReset, type ResetTicket, resetMethods } from './reset-password.ts';

const CAUTION_MS = 86_400_000;

export interface ResetCompletion extends ResetTicket, Partial<FactorFields> {
  readonly login_password: string;
}

/** True when the second factor is proven, or there is none beside the mailbox. @throws `invalid_parameter`, `method_unavailable` */
async function isProven(
  tx: Transaction,
  kit: IdentityContext,
  user: User,
  ticket: Ticket,
  input: ResetCompletion,
): Promise<'strong' | 'mailbox' | undefined> {
  const methods = await resetMethods(tx, kit, user.userId);
  if (methods.length === 0) return 'mailbox';
  const { method } = input;
  if (method === undefined)
    throw failure('method_unavailable', {
      detail: 'A second factor is needed.',
      extra: { two_factor_methods: methods },
    });
  const factor = await verifyFactor(
    tx,
    kit,
    { user, ticket, secret: input.reset_ticket, methods },
    readProof({ ...input, method }),
  );
  return factor === undefined ? undefined : 'strong';
}

async function store(
  tx: Transaction,
  kit: IdentityContext,
  user: User,
  passwordHash: string,
  proof: 'strong' | 'mailbox',
  origin: Asker,
): Promise<void> {
  const { clock } = kit;
  const { userId } = user;
  const until = new Date(clock.now().getTime() + CAUTION_MS);
  await tx.query('update app_user set password_hash = $2 where id = $1', [userId, passwordHash]);
  await tx.query(
    `insert into user_security (user_id, email_factor_barred_until, money_frozen_until) values ($1, $2, $3)
     on conflict (user_id) do update set email_factor_barred_until = excluded.email_factor_barred_until,
       money_frozen_until = coalesce(excluded.money_frozen_until, user_security.money_frozen_until)`,
    [userId, until, proof === 'mailbox' ? until : null],
  );
  await endAllSessions(tx, clock, { userId, reason: 'password_reset' });
  await deleteTickets(tx, userId);
  await logSecurityEvent(tx, clock, {
    userId,
    type: 'password_reset',
    origin,
    details: { money_frozen: proof === 'mailbox' },
  });
  const recipient = { to: user.email, nickname: user.nickname, language: origin.language };
  await sendMail(
    tx,
    clock,
    changeNotice(recipient, {
      kind: proof === 'mailbox' ? 'passwordResetAndFrozen' : 'passwordReset',
    }),
  );
}

async function complete(
  tx: Transaction,
  kit: IdentityContext,
  input: ResetCompletion,
  userId: number,
  passwordHash: string,
  origin: Asker,
) {
  const user = await lockUser(tx, userId);
  const ticket = await consumeAttempt(tx, kit.clock, presentReset(input));
  if (!user || !ticket.isCodeUsed) throw failure('invalid_ticket');
  const proof = await isProven(tx, kit, user, ticket, input);
  if (proof === undefined) {
    await logSecurityEvent(tx, kit.clock, {
      userId,
      type: 'second_factor_failed',
      origin,
      details: { method: input.method ?? '' },
    });
    return { triesLeft: ticket.triesLeft };
  }
  if (user.status !== 'active') throw failure('account_disabled');
  await consumeTicket(tx, kit.clock, ticket);
  await store(tx, kit, user, passwordHash, proof, origin);
  return 'done' as const;
}

/** Sets the new password and ends every session. @throws `invalid_ticket`, `invalid_code`, `method_unavailable`, `invalid_parameter` */
export async function completeReset(
  kit: IdentityContext,
  input: ResetCompletion,
  origin: Asker,
): Promise<void> {
  const { database, clock, limits } = kit;
  const presented = presentReset(input);
  const network = networkOf(origin.ip);
  await limits.take(['factor-ip', network]);
  const { userId = 0, isCodeUsed } = await readTicket(database, clock, presented);
  const self = await findUser(database, userId);
  if (!self || !isCodeUsed) throw failure('invalid_ticket');
  const subject = await accountSubject(database, clock, presented.emailKey, origin.ip);
  await limits.take(['factor-account', subject]);
  checkPasswordChoice(input.login_password, [self.email, self.nickname]);
  const passwordHash = await kit.passwords.hash(input.login_password);
  const outcome = await transaction(database, (tx) =>
    complete(tx, kit, input, userId, passwordHash, origin),
  );
  if (outcome !== 'done')
    throw failure('invalid_code', { extra: { tries_left: outcome.triesLeft } });
  await limits.giveBack([
    ['factor-ip', network],
    ['factor-account', subject],
  ]);
}
