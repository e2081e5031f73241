/**
 * After the first factor: issues the ticket for the second factor. Where EMAIL is the only one,
 * its code is mailed at once.
 */
import { defineStatement, execute } from '../../db/index.ts';
import { assertWithinRateLimit, toCounterRow } from '../../http/index.ts';
import { failure } from '../../lib/failures.ts';
import { newSecret } from '../../lib/ids.ts';
import type { Language } from '../../lib/language.ts';
import { mailValues, QUEUE_MAIL, wakeMailSender } from '../../mail/index.ts';
import { type CodeMail, reauthenticationCode, signInCode } from '../build-mails.ts';
import type { IdentityContext } from '../context.ts';
import { maskEmail } from '../emails.ts';
import type { RateLimitKey } from '../limits.ts';
import type { Credentials } from '../queries.ts';
import { INSERT_TICKET, ticketValues, type UpstreamSubject } from '../tickets.ts';
import type { TwoFactorMethod } from '../types.ts';

export interface LoginResult {
  readonly need_two_factor: true;
  readonly login_ticket: string;
  readonly email: string;
  readonly two_factor_methods: TwoFactorMethod[];
}

/** The purpose of a ticket, and what it is bound to. */
export interface TicketBinding {
  readonly purpose: 'login' | 'reauthenticate';
  /** Cookie of the browser that asks. */
  readonly browser?: string;
  /** The session that asks. */
  readonly sid?: string;
  /** The account of a provider that took the place of the password. */
  readonly upstream?: UpstreamSubject;
}

/** A user whose first factor was verified. */
export interface FirstFactor {
  readonly user: Credentials;
  readonly methods: TwoFactorMethod[];
  /** Counters that the ticket refunds. */
  readonly limitKeys: readonly RateLimitKey[];
}

/** The mail with a ticket's code. */
export const CODE_MAILS: Readonly<Record<TicketBinding['purpose'], CodeMail>> = {
  login: signInCode,
  reauthenticate: reauthenticationCode,
};

// One round trip. A ticket that is lost in a power failure costs its owner another login, so the
// commit does not wait for the disk.
const ISSUE_TICKET = defineStatement(
  'identity-issue-login-ticket',
  `with refunded as materialized (
     select rate_limit_refund(:refund_subjects, :refund_window_starts)),
   counted as materialized (
     select case when :mail_to::text is null then 0
       else rate_limit_consume(:subject, :window_start) end as hits
     from refunded),
   issued as (
     ${INSERT_TICKET} and exists (select 1 from counted where hits <= :hits_max)
     returning ticket_hash),
   queued as (${QUEUE_MAIL} from issued where :mail_to::text is not null returning id)
   select hits, exists (select 1 from issued) as is_issued,
     set_config('synchronous_commit', 'off', true)
   from counted`,
);

/**
 * @throws `rate_limited` when too many codes were mailed, `invalid_credentials` when the password
 *   was changed meanwhile
 */
export async function issueLoginTicket(
  context: IdentityContext,
  { user, methods, limitKeys }: FirstFactor,
  { purpose, ...binding }: TicketBinding,
  language: Language,
): Promise<LoginResult> {
  const { database, clock, codes, limits, ticketRules } = context;
  const { userId, email, nickname, passwordHash } = user;
  const emailKey = email.toLowerCase();
  // The code is mailed without a request.
  const isEmailOnly = methods.length === 1 && methods[0] === 'EMAIL';
  const secret = newSecret();
  const mail = isEmailOnly
    ? CODE_MAILS[purpose](
        { to: email, userId, nickname, language },
        codes.of(secret, emailKey),
        ticketRules[purpose].codeLifetime_s,
      )
    : undefined;
  const ticket = {
    ...binding,
    kind: purpose,
    userId,
    emailKey,
    ...(passwordHash !== undefined && { passwordHash }),
    hasCode: isEmailOnly,
  };
  const mailCounter = limits.counterOf(['mail-account', String(userId)]);
  const refunds = limitKeys.map((key) => toCounterRow(clock, limits.counterOf(key)));
  const { rows } = await execute<{ hits: number; is_issued: boolean }>(database, ISSUE_TICKET, {
    ...ticketValues(context, secret, ticket),
    ...mailValues(clock, mail),
    ...toCounterRow(clock, mailCounter),
    hits_max: mailCounter.limit.hits,
    refund_subjects: refunds.map(({ subject }) => subject),
    refund_window_starts: refunds.map(({ window_start }) => window_start),
  });
  assertWithinRateLimit(clock, mailCounter.limit, rows[0]?.hits ?? 0);
  if (rows[0]?.is_issued !== true) throw failure('invalid_credentials');
  if (mail !== undefined) wakeMailSender(database);
  return {
    need_two_factor: true,
    login_ticket: secret,
    email: maskEmail(email),
    two_factor_methods: methods,
  };
}
