/** First step of an account: everything is checked and kept, and a code goes to the address. */
import { type Transaction, transaction } from '../../db/index.ts';
import { readDisplayText } from '../../lib/display-text.ts';
import { collectFieldErrors, fieldError } from '../../lib/failures.ts';
import { hashSecret, newSecret } from '../../lib/ids.ts';
import type { Language } from '../../lib/language.ts';
import { networkOf } from '../../lib/rate-limit-subnet.ts';
import { sendMail } from '../../mail/index.ts';
import { addressTaken, registrationCode } from '../build-mails.ts';
import type { IdentityContext } from '../context.ts';
import { type Email, readEmail } from '../emails.ts';
import { takeMailHits } from '../limits.ts';
import { checkPasswordChoice } from '../passwords.ts';
import { findCredentials, findReferrer } from '../queries.ts';
import { CODE_TRIES } from '../tickets.ts';
import type { Asker } from '../types.ts';

/** One character to the eye may be many: a family of four is 25 bytes, and its people may have hair and skin. */
export const NICKNAME_LIMITS = { min: 1, max: 40, bytes_max: 1600 } as const;

export interface RegistrationInput {
  readonly email: string;
  readonly login_password: string;
  readonly nickname: string;
  readonly referral_code?: string;
}

interface Draft {
  readonly email: Email;
  readonly nickname: string;
  readonly passwordHash: string;
  readonly referrerId?: number;
  readonly language: Language;
}

async function store(
  tx: Transaction,
  { clock, codes, config }: IdentityContext,
  draft: Draft,
): Promise<string> {
  const { email, nickname, passwordHash, referrerId, language } = draft;
  const ticket = newSecret();
  const isDecoy = (await findCredentials(tx, email.key)) !== undefined;
  const now = clock.now();
  await tx.query(
    `insert into registration (ticket_hash, email, email_key, nickname, password_hash, referrer_id, is_decoy, tries_left, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      hashSecret(ticket),
      email.address,
      email.key,
      nickname,
      passwordHash,
      referrerId ?? null,
      isDecoy,
      CODE_TRIES,
      now,
      new Date(now.getTime() + config.EMAIL_CODE_TTL * 1000),
    ],
  );
  const code = codes.of(ticket, email.key);
  const recipient = { to: email.address, nickname, language };
  await sendMail(
    tx,
    clock,
    isDecoy ? addressTaken(recipient) : registrationCode(recipient, code, config.EMAIL_CODE_TTL),
  );
  return ticket;
}

/** Begins a registration. A taken address gets the same answer after the same work; its owner gets a mail. */
export async function startRegistration(
  kit: IdentityContext,
  input: RegistrationInput,
  origin: Asker,
): Promise<{ email: string; register_ticket: string }> {
  const [email, nickname] = collectFieldErrors(
    () => readEmail(input.email),
    () => readDisplayText(input.nickname, 'nickname', NICKNAME_LIMITS),
    () =>
      checkPasswordChoice(input.login_password, [
        input.email,
        input.nickname.normalize('NFC').trim(),
      ]),
  );
  await kit.limits.take(['begin-ip', networkOf(origin.ip)]);
  await takeMailHits(kit.limits, email.key, origin.ip);
  const referrerId =
    input.referral_code === undefined
      ? undefined
      : await findReferrer(kit.database, input.referral_code);
  if (input.referral_code !== undefined && referrerId === undefined)
    throw fieldError('referral_code', 'unknown', 'is nobody’s referral code');
  const passwordHash = await kit.passwords.hash(input.login_password);
  const draft = {
    email,
    nickname,
    passwordHash,
    language: origin.language,
    ...(referrerId !== undefined && { referrerId }),
  };
  const ticket = await transaction(kit.database, (tx) => store(tx, kit, draft));
  return { email: email.address, register_ticket: ticket };
}
