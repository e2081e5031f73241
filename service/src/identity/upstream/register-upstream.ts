/** Begins a registration with an account of an upstream provider; it has no password. */
import { readDisplayText } from '../../lib/display-text.ts';
import { failure } from '../../lib/failures.ts';
import { toSubnet } from '../../lib/rate-limit-subnet.ts';
import type { IdentityContext } from '../context.ts';
import { readEmail } from '../emails.ts';
import { consumeMailLimits } from '../limits.ts';
import { findReferrer } from '../register/find-referrer.ts';
import {
  isEmailTaken,
  NICKNAME_LIMITS,
  storeRegistration,
} from '../register/start-registration.ts';
import type { RequestOrigin } from '../types.ts';
import { isIssuerEnabled } from './provider-store.ts';
import { openToken } from './upstream-request.ts';

export interface UpstreamRegistrationInput {
  readonly registration_ticket: string;
  readonly nickname: string;
  readonly referral_code?: string;
}

/**
 * Mails the code that creates the account: what a provider says of a mailbox is not enough.
 * @throws `invalid_ticket`, `invalid_parameter`, `rate_limited`, `challenge_required`
 */
export async function registerUpstream(
  context: IdentityContext,
  input: UpstreamRegistrationInput,
  origin: RequestOrigin,
  browser: string | undefined,
): Promise<{ email: string; register_ticket: string }> {
  const { clock, database, limits, mailDomains, upstream } = context;
  await limits.consume(['begin-ip', toSubnet(origin.ip)]);
  const cipher = upstream.tokens.registration;
  const opened = openToken({ cipher, clock }, input.registration_ticket, browser);
  const { issuer, subject } = opened;
  if (!(await isIssuerEnabled(database, issuer))) throw failure('invalid_ticket');
  const email = readEmail(opened.email);
  const nickname = readDisplayText(input.nickname, 'nickname', NICKNAME_LIMITS);
  await mailDomains.check(email);
  await consumeMailLimits(limits, email.key, origin.ip);
  const referrerId = await findReferrer(database, input.referral_code);
  if (await isEmailTaken(database, email))
    throw failure('invalid_ticket', {
      detail: 'An account with this address exists now: sign in again.',
    });
  await context.challenges.guardRegistration(email.key, origin);
  const register_ticket = await storeRegistration(
    context,
    { email, nickname, referrerId, firstFactor: { upstream: { issuer, subject } }, isDecoy: false },
    origin,
  );
  return { email: email.address, register_ticket };
}
