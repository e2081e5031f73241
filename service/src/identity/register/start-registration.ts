/** First step of registration: the request is validated and stored, and a code is mailed. */
import { type Db, defineStatement, execute } from '../../db/index.ts';
import { collectFieldErrors } from '../../lib/collect-field-errors.ts';
import { readDisplayText } from '../../lib/display-text.ts';
import { hashSecret, newSecret } from '../../lib/ids.ts';
import { toSubnet } from '../../lib/rate-limit-subnet.ts';
import { mailValues, QUEUE_MAIL, wakeMailSender } from '../../mail/index.ts';
import { addressTaken, registrationCode } from '../build-mails.ts';
import type { IdentityContext } from '../context.ts';
import { type Email, readEmail } from '../emails.ts';
import { consumeMailLimits } from '../limits.ts';
import { checkPasswordChoice } from '../passwords.ts';
import { addSeconds, type UpstreamSubject } from '../tickets.ts';
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
       upstream_issuer, upstream_subject, is_decoy, tries_left, created_at, expires_at)
     values (:ticket_hash, :email, :email_key, :nickname, :password_hash, :referrer_id,
       :upstream_issuer, :upstream_subject, :is_decoy, :tries, :now, :expires_at))
   ${QUEUE_MAIL}`,
);

/** True when the address has an account. */
export async function isEmailTaken(db: Db, { key }: Email): Promise<boolean> {
  const { rows } = await execute<{ is_taken: boolean }>(db, IS_EMAIL_TAKEN, { email_key: key });
  return rows[0]?.is_taken ?? false;
}

export interface NewRegistration {
  readonly email: Email;
  readonly nickname: string;
  readonly referrerId: number | null;
  /** What the owner signs in with: a password, or the account of a provider. */
  readonly firstFactor: { readonly passwordHash: string } | { readonly upstream: UpstreamSubject };
  /** The address has an account. */
  readonly isDecoy: boolean;
}

/** Stores a registration, and mails its code. @returns its ticket */
export async function storeRegistration(
  { clock, codes, database, ticketRules }: IdentityContext,
  { email, nickname, referrerId, firstFactor, isDecoy }: NewRegistration,
  { language }: RequestOrigin,
): Promise<string> {
  const { tries, lifetime_s, codeLifetime_s } = ticketRules.registration;
  const ticket = newSecret();
  const recipient = { to: email.address, nickname, language };
  const mail = isDecoy
    ? addressTaken(recipient)
    : registrationCode(recipient, codes.of(ticket, email.key), codeLifetime_s);
  const upstream = 'upstream' in firstFactor ? firstFactor.upstream : undefined;
  const now = clock.now();
  await execute(database, STORE_REGISTRATION, {
    ...mailValues(clock, mail),
    ticket_hash: hashSecret(ticket),
    email: email.address,
    email_key: email.key,
    nickname,
    password_hash: 'passwordHash' in firstFactor ? firstFactor.passwordHash : null,
    referrer_id: referrerId,
    upstream_issuer: upstream?.issuer ?? null,
    upstream_subject: upstream?.subject ?? null,
    is_decoy: isDecoy,
    tries,
    now,
    expires_at: addSeconds(now, lifetime_s),
  });
  wakeMailSender(database);
  return ticket;
}

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
  const { database, limits, mailDomains, passwords } = context;
  const ownNames = [input.email, input.nickname.normalize('NFC').trim()];
  const [email, nickname] = collectFieldErrors(
    () => readEmail(input.email),
    () => readDisplayText(input.nickname, 'nickname', NICKNAME_LIMITS),
    () => checkPasswordChoice(input.login_password, ownNames),
  );
  await mailDomains.check(email);
  await limits.consume(['begin-ip', toSubnet(origin.ip)]);
  await consumeMailLimits(limits, email.key, origin.ip);
  const isDecoy = await isEmailTaken(database, email);
  const referrerId = await findReferrer(database, input.referral_code);
  await context.challenges.guardRegistration(email.key, origin);
  const firstFactor = { passwordHash: await passwords.hash(input.login_password) };
  const register_ticket = await storeRegistration(
    context,
    { email, nickname, referrerId, firstFactor, isDecoy },
    origin,
  );
  return { email: email.address, register_ticket };
}
