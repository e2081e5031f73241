/** Creates an account for an account of an upstream provider; it has no password. */
import { transaction } from '../../db/index.ts';
import { readDisplayText } from '../../lib/display-text.ts';
import { failure } from '../../lib/failures.ts';
import { toSubnet } from '../../lib/rate-limit-subnet.ts';
import type { IdentityContext } from '../context.ts';
import { readEmail } from '../emails.ts';
import { issueLoginTicket, type LoginResult } from '../login/issue-login-ticket.ts';
import { createUser } from '../register/create-user.ts';
import { findReferrer } from '../register/find-referrer.ts';
import { NICKNAME_LIMITS } from '../register/start-registration.ts';
import { logSecurityEvent } from '../security-log.ts';
import type { RequestOrigin } from '../types.ts';
import { openToken } from './upstream-request.ts';

export interface UpstreamRegistrationInput {
  readonly registration_ticket: string;
  readonly nickname: string;
  readonly referral_code?: string;
}

/**
 * Creates the account and mails its first code, which the login ticket needs.
 * @throws `invalid_ticket`, `invalid_parameter`, `rate_limited`, `challenge_required`
 */
export async function registerUpstream(
  context: IdentityContext,
  input: UpstreamRegistrationInput,
  origin: RequestOrigin,
  browser: string | undefined,
): Promise<LoginResult & { readonly next: 'second_factor' }> {
  const { clock, database, limits, mailDomains, upstream } = context;
  await limits.consume(['begin-ip', toSubnet(origin.ip)]);
  const cipher = upstream.tokens.registration;
  const opened = openToken({ cipher, clock }, input.registration_ticket, browser);
  const email = readEmail(opened.email);
  const nickname = readDisplayText(input.nickname, 'nickname', NICKNAME_LIMITS);
  await mailDomains.check(email);
  const referrerId = await findReferrer(database, input.referral_code);
  await context.challenges.guardRegistration(email.key, origin);
  const user = await transaction(database, async (tx) => {
    const created = await createUser(tx, clock, context.onUserCreated, {
      ...{ email: email.address, nickname, passwordHash: null, referrerId },
    });
    if (created)
      await logSecurityEvent(tx, clock, { userId: created.userId, type: 'registered', origin });
    return created;
  });
  if (!user)
    throw failure('invalid_ticket', {
      detail: 'An account with this address exists now: sign in again.',
    });
  const { issuer, subject } = opened;
  const ticket = await issueLoginTicket(
    context,
    { user, methods: ['EMAIL'], limitKeys: [] },
    {
      purpose: 'login',
      upstream: { issuer, subject, email: email.address },
      ...(browser !== undefined && { browser }),
    },
    origin.language,
  );
  return { ...ticket, next: 'second_factor', email: user.email };
}
