/** A right password gives a ticket for the second factor; with EMAIL as the only one its code goes out at once. */
import { checkHits, rowOf } from '../../http/index.ts';
import { failure } from '../../lib/failures.ts';
import { newSecret } from '../../lib/ids.ts';
import type { Language } from '../../lib/language.ts';
import { queueMailSql, WAKE_SENDER } from '../../mail/index.ts';
import { type CodeMail, reauthenticationCode, signInCode } from '../build-mails.ts';
import type { IdentityContext } from '../context.ts';
import { maskEmail } from '../emails.ts';
import { INSERT_TICKET, TICKET_VALUES, type TicketPurpose, ticketValues } from '../tickets.ts';
import type { TwoFactorMethod } from '../types.ts';
import type { VerifiedPassword } from './check-password.ts';

export interface LoginResult {
  readonly need_two_factor: true;
  readonly login_ticket: string;
  readonly email: string;
  readonly two_factor_methods: TwoFactorMethod[];
}

/** What a ticket is for, and what it is bound to. */
export interface ProofBinding {
  readonly purpose: 'login' | 'reauthenticate';
  /** Cookie of the browser that asks. */
  readonly browser?: string;
  /** The session that asks. */
  readonly sid?: string;
}

/** The mail that carries a ticket's code. */
export const CODE_MAILS: Partial<Record<TicketPurpose, CodeMail>> = {
  login: signInCode,
  reauthenticate: reauthenticationCode,
};

const own = (place: number): string => `$${TICKET_VALUES + place}`;

// Everything in one round trip: the attempt is given back, the mail counted, and what it lets pass written. A ticket
// that a power failure loses costs its owner another sign-in, so the commit need not wait for the disk.
const OPEN = `with given_back as materialized (select rate_limit_refund(${own(1)}, ${own(2)})),
  counted as materialized (select case when ${own(3)}::text is null then 0 else rate_limit_consume(${own(3)}, ${own(4)}) end as hits from given_back),
  made as (${INSERT_TICKET} and exists (select 1 from counted where hits <= ${own(5)}) returning ticket_hash),
  queued as (${queueMailSql([`${own(6)}::text`, `${own(7)}::text`, `${own(8)}::text`, '$13::timestamptz'], `from made where ${own(6)}::text is not null`)} returning id)
  select hits, exists (select 1 from made) as is_made, (select count(${WAKE_SENDER}) from queued) as mails, set_config('synchronous_commit', 'off', true)
  from counted`;

/** @throws `rate_limited` when too many codes were mailed, `invalid_credentials` when the password was changed while argon2 ran */
export async function issueLoginTicket(
  kit: IdentityContext,
  proven: VerifiedPassword,
  binding: ProofBinding,
  language: Language,
): Promise<LoginResult> {
  const { database, clock, config, codes, limits } = kit;
  const { user, methods, isEmailOnly } = proven;
  const { userId, email, nickname, passwordHash } = user;
  const emailKey = email.toLowerCase();
  const ttl_s = config.LOGIN_TICKET_TTL;
  const secret = newSecret();
  const ticket = {
    ...binding,
    userId,
    emailKey,
    ttl_s,
    passwordHash,
    ...(isEmailOnly && { codeTtl_s: config.EMAIL_CODE_TTL }),
  };
  const mail = isEmailOnly
    ? CODE_MAILS[binding.purpose]?.(
        { to: email, nickname, language },
        codes.of(secret, emailKey),
        Math.min(ttl_s, config.EMAIL_CODE_TTL),
      )
    : undefined;
  const mailCounter = limits.counterOf(['mail-account', String(userId)]);
  const given = proven.hits.map((hit) => rowOf(clock, limits.counterOf(hit)));
  const { rows } = await database.prepared<{ hits: number; is_made: boolean }>('open-proof', OPEN, [
    ...ticketValues(clock, secret, ticket),
    given.map(([subject]) => subject),
    given.map(([, window]) => window),
    ...(mail ? rowOf(clock, mailCounter) : [null, null]),
    mailCounter.limit.hits,
    ...(mail ? [mail.to, mail.subject, mail.text] : [null, null, null]),
  ]);
  checkHits(clock, mailCounter.limit, rows[0]?.hits ?? 0);
  if (rows[0]?.is_made !== true) throw failure('invalid_credentials');
  return {
    need_two_factor: true,
    login_ticket: secret,
    email: maskEmail(email),
    two_factor_methods: methods,
  };
}
