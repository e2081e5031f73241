/** A new address: the mailbox of the old one and that of the new one are both proven. */
import { isUniqueViolation, savepoint, type Transaction, transaction } from '../../db/index.ts';
import { failure, fieldError } from '../../lib/failures.ts';
import { networkOf } from '../../lib/rate-limit-subnet.ts';
import { sendMail } from '../../mail/index.ts';
import { addressTaken, changeNotice, emailChangeCode } from '../build-mails.ts';
import type { IdentityContext } from '../context.ts';
import { readEmail } from '../emails.ts';
import { accountSubject, takeMailHits } from '../limits.ts';
import { findCredentials, findUser } from '../queries.ts';
import {
  consumeAttempt,
  consumeTicket,
  createTicket,
  deleteTickets,
  verifyCode,
} from '../tickets.ts';
import {
  finishSecurityChange,
  lockReauthenticatedUser,
  type Manager,
  requireFreshProof,
} from './require-reauthentication.ts';

/** Sends one code to each address. A taken address gets the same answer; its owner gets a mail, but no code. */
export async function startEmailChange(
  kit: IdentityContext,
  manager: Manager,
  address: string,
): Promise<{ email: string; email_ticket: string }> {
  const { database, clock, config, codes, limits } = kit;
  const next = readEmail(address);
  const { language } = manager.origin;
  await requireFreshProof(database, kit, manager);
  await limits.take(['mail-account', String(manager.userId)]);
  await takeMailHits(limits, next.key, manager.origin.ip);
  const ticket = await transaction(database, async (tx) => {
    const user = await lockReauthenticatedUser(tx, manager.userId);
    const emailKey = user.email.toLowerCase();
    if (user.email === next.address)
      throw fieldError('email', 'unchanged', 'is your address already');
    const isTaken = ((await findCredentials(tx, next.key))?.userId ?? user.userId) !== user.userId;
    const ttl_s = config.EMAIL_CODE_TTL;
    const secret = await createTicket(tx, clock, {
      purpose: 'email_change',
      userId: user.userId,
      emailKey,
      sid: manager.sid,
      newEmail: next.address,
      ttl_s,
      codeTtl_s: ttl_s,
    });
    const { nickname } = user;
    await sendMail(
      tx,
      clock,
      emailChangeCode(
        { to: user.email, nickname, language },
        codes.of(secret, `old ${emailKey}`),
        next.address,
        ttl_s,
      ),
    );
    const atNew = { to: next.address, nickname, language };
    const toNew = isTaken
      ? addressTaken(atNew)
      : emailChangeCode(atNew, codes.of(secret, `new ${next.key}`), next.address, ttl_s);
    await sendMail(tx, clock, toNew);
    await finishSecurityChange(tx, kit, user, manager, { type: 'email_change_requested' });
    return secret;
  });
  return { email: next.address, email_ticket: ticket };
}

export interface EmailVerification {
  readonly email_ticket: string;
  /** The code that went to the present address. */
  readonly validate_code: string;
  /** The code that went to the new address. */
  readonly new_validate_code: string;
}

type Outcome = { readonly triesLeft: number } | 'changed';

async function verify(
  tx: Transaction,
  kit: IdentityContext,
  manager: Manager,
  input: EmailVerification,
): Promise<Outcome> {
  const { clock, codes } = kit;
  const user = await lockReauthenticatedUser(tx, manager.userId);
  const emailKey = user.email.toLowerCase();
  const ticket = await consumeAttempt(tx, clock, {
    ticket: input.email_ticket,
    purpose: 'email_change',
    emailKey,
    sid: manager.sid,
  });
  const next = readEmail(ticket.newEmail ?? '');
  const isOldRight = codes.isRight(input.email_ticket, `old ${emailKey}`, input.validate_code);
  const isNewRight = codes.isRight(input.email_ticket, `new ${next.key}`, input.new_validate_code);
  if (!(await verifyCode(tx, clock, ticket, isOldRight && isNewRight)))
    return { triesLeft: ticket.triesLeft };
  await consumeTicket(tx, clock, ticket);
  try {
    await savepoint(tx, () =>
      tx.query('update app_user set email = $2, email_key = $3 where id = $1', [
        user.userId,
        next.address,
        next.key,
      ]),
    );
  } catch (error) {
    if (isUniqueViolation(error, 'app_user_email_key_key'))
      throw failure('invalid_ticket', { detail: 'The address got an account meanwhile.' });
    throw error;
  }
  await deleteTickets(tx, user.userId);
  await finishSecurityChange(tx, kit, user, manager, {
    type: 'email_changed',
    notice: { kind: 'emailChanged', values: { email: next.address } },
  });
  await sendMail(
    tx,
    clock,
    changeNotice(
      { to: next.address, nickname: user.nickname, language: manager.origin.language },
      { kind: 'emailIsYours' },
    ),
  );
  return 'changed';
}

/** Changes the address once both codes are right. @throws `invalid_ticket`, `invalid_code` with `tries_left` */
export async function finishEmailChange(
  kit: IdentityContext,
  manager: Manager,
  input: EmailVerification,
): Promise<void> {
  const { database, clock, limits } = kit;
  const network = networkOf(manager.origin.ip);
  await limits.take(['code-ip', network]);
  await requireFreshProof(database, kit, manager);
  const user = await findUser(database, manager.userId);
  const subject = await accountSubject(
    database,
    clock,
    user?.email.toLowerCase() ?? '',
    manager.origin.ip,
  );
  await limits.take(['factor-account', subject]);
  const outcome = await transaction(database, (tx) => verify(tx, kit, manager, input));
  if (outcome !== 'changed')
    throw failure('invalid_code', { extra: { tries_left: outcome.triesLeft } });
  await limits.giveBack([
    ['code-ip', network],
    ['factor-account', subject],
  ]);
}
