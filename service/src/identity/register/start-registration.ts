/** First step of registration: the request is validated and stored, and a code is mailed. */
import { defineStatement, execute } from '../../db/index.ts';
import { collectFieldErrors } from '../../lib/collect-field-errors.ts';
import { readDisplayText } from '../../lib/display-text.ts';
import { hashSecret, newSecret } from '../../lib/ids.ts';
import { toSubnet } from '../../lib/rate-limit-subnet.ts';
import { mailValues, QUEUE_MAIL, wakeMailSender } from '../../mail/index.ts';
import { addressTaken, registrationCode } from '../build-mails.ts';
import type { IdentityContext } from '../context.ts';
import { readEmail } from '../emails.ts';
import { consumeMailLimits } from '../limits.ts';
import { checkPasswordChoice } from '../passwords.ts';
import { addSeconds } from '../tickets.ts';
import type { RequestOrigin } from '../types.ts';
import { findReferrer } from './find-referrer.ts';

/** One grapheme may be many bytes: an emoji of a family of four has 25, more with skin tones. */
export const NICKNAME_LIMITS = { min: 1, max: 40, bytes_max: 1600 } as const;

export interface RegistrationInput {
  readonly email: string;
  readonly login_password: string;
  readonly nickname: string;
  readonly referral_code?: string;
}

const IS_EMAIL_TAKEN = defineStatement(
  'identity-is-email-taken',
  'select exists (select 1 from app_user where email_key = :email_key) as is_taken',
);

const STORE_REGISTRATION = defineStatement(
  'identity-store-registration',
  `with stored as (
     insert into registration (ticket_hash, email, email_key, nickname, password_hash, referrer_id,
       is_decoy, tries_left, created_at, expires_at)
     values (:ticket_hash, :email, :email_key, :nickname, :password_hash, :referrer_id, :is_decoy,
       :tries, :now, :expires_at))
   ${QUEUE_MAIL}`,
);

/**
 * Starts a registration. A taken address gets the same response after the same work; its owner gets
 * a mail.
 * @throws `invalid_parameter`, `rate_limited`, `challenge_required`
 */
export async function startRegistration(
  context: IdentityContext,
  input: RegistrationInput,
  origin: RequestOrigin,
): Promise<{ email: string; register_ticket: string }> {
  const { clock, codes, database, limits, mailDomains, passwords } = context;
  const { tries, lifetime_s, codeLifetime_s } = context.ticketRules.registration;
  const ownNames = [input.email, input.nickname.normalize('NFC').trim()];
  const [email, nickname] = collectFieldErrors(
    () => readEmail(input.email),
    () => readDisplayText(input.nickname, 'nickname', NICKNAME_LIMITS),
    () => checkPasswordChoice(input.login_password, ownNames),
  );
  await mailDomains.check(email);
  await limits.consume(['begin-ip', toSubnet(origin.ip)]);
  await consumeMailLimits(limits, email.key, origin.ip);
  const values = { email_key: email.key };
  const { rows } = await execute<{ is_taken: boolean }>(database, IS_EMAIL_TAKEN, values);
  const isDecoy = rows[0]?.is_taken ?? false;
  const referrer_id = await findReferrer(database, input.referral_code);
  await context.challenges.guardRegistration(email.key, origin);
  const passwordHash = await passwords.hash(input.login_password);
  const ticket = newSecret();
  const code = codes.of(ticket, email.key);
  const recipient = { to: email.address, nickname, language: origin.language };
  const mail = isDecoy
    ? addressTaken(recipient)
    : registrationCode(recipient, code, codeLifetime_s);
  const now = clock.now();
  await execute(database, STORE_REGISTRATION, {
    ...mailValues(clock, mail),
    ticket_hash: hashSecret(ticket),
    email: email.address,
    email_key: email.key,
    nickname,
    password_hash: passwordHash,
    referrer_id,
    is_decoy: isDecoy,
    tries,
    now,
    expires_at: addSeconds(now, lifetime_s),
  });
  wakeMailSender(database);
  return { email: email.address, register_ticket: ticket };
}
