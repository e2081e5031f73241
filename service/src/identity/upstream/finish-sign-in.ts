/**
 * The end of a sign-in at an upstream provider: it takes the place of the password, and gives a
 * login ticket. The second factor links the account of the provider, so that what a provider says
 * of a mailbox is never the only proof of it.
 */
import { type Db, queryNamed, transaction } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import type { IdentityContext } from '../context.ts';
import { issueLoginTicket, type LoginResult } from '../login/issue-login-ticket.ts';
import { openSession, type UserDetails } from '../login/open-session.ts';
import { lockUserForShare, toUser, USER_COLUMNS, type UserRow } from '../queries.ts';
import {
  FACTOR_COLUMNS,
  type FactorRow,
  methodsOf,
  toFactors,
  withoutMailbox,
} from '../second-factors/available-methods.ts';
import type { RequestOrigin, User } from '../types.ts';
import type { Callback, UpstreamAccount } from './connect-provider.ts';
import type { UpstreamProvider } from './provider-store.ts';
import { redeemCallback } from './redeem-callback.ts';
import { noteUse } from './upstream-identities.ts';
import { REGISTRATION_LIFETIME_S, startedBy } from './upstream-request.ts';

export type UpstreamResult =
  | (LoginResult & { readonly next: 'second_factor' })
  | (UserDetails & { readonly next: 'signed_in' })
  | {
      readonly next: 'registration';
      readonly registration_ticket: string;
      readonly email: string;
      readonly name: string;
    };

interface FoundUser {
  readonly user: User;
  readonly methods: LoginResult['two_factor_methods'];
  /** The account of the provider is linked already. */
  readonly isLinked: boolean;
}

const verifiedEmailOf = ({ email, isEmailVerified }: UpstreamAccount): string | undefined =>
  isEmailVerified ? email : undefined;

/** By the linked account, or else by an address that the provider has verified. */
async function findUserOf(
  db: Db,
  { clock }: IdentityContext,
  account: UpstreamAccount,
): Promise<FoundUser | undefined> {
  const { rows } = await queryNamed<UserRow & FactorRow & { is_linked: boolean }>(
    db,
    `with linked as (
       select user_id from upstream_identity where issuer = :issuer and subject = :subject)
     select ${USER_COLUMNS}, ${FACTOR_COLUMNS}, exists (select 1 from linked) as is_linked
     from app_user u left join user_security s on s.user_id = u.id
     where u.id = (select user_id from linked)
       or (u.email_key = :email_key and not exists (select 1 from linked))`,
    {
      issuer: account.issuer,
      subject: account.subject,
      email_key: verifiedEmailOf(account)?.toLowerCase() ?? null,
    },
  );
  const [row] = rows;
  const methods = methodsOf(toFactors(row), clock.now());
  return (
    row && {
      user: toUser(row),
      methods: row.is_linked ? methods : withoutMailbox(methods),
      isLinked: row.is_linked,
    }
  );
}

/** The provider verified two factors, and the operator lets that count. */
function hasSecondFactor({ secondFactorAmr }: UpstreamProvider, { amr }: UpstreamAccount): boolean {
  return amr.some((method) => secondFactorAmr.includes(method));
}

function offerRegistration(
  { clock, upstream }: IdentityContext,
  account: UpstreamAccount,
  browser: string | undefined,
): UpstreamResult {
  const { issuer, subject, name = '' } = account;
  const email = verifiedEmailOf(account);
  if (email === undefined) throw failure('upstream_email_unverified');
  const registration_ticket = upstream.tokens.registration.encrypt({
    ...startedBy(clock, REGISTRATION_LIFETIME_S, browser),
    ...{ issuer, subject, email },
  });
  return { next: 'registration', registration_ticket, email, name };
}

/**
 * Redeems the code of the provider, once.
 * @throws `invalid_ticket`, `not_found`, `upstream_refused`, `upstream_unreachable`,
 *   `upstream_email_unverified`, `account_disabled`, `rate_limited`
 */
export async function finishUpstreamSignIn(
  context: IdentityContext,
  callback: Callback,
  origin: RequestOrigin,
  browser: string | undefined,
): Promise<UpstreamResult> {
  const { database } = context;
  const { provider, account } = await redeemCallback(context, callback, {
    ip: origin.ip,
    browser,
    fits: ({ purpose }) => purpose === 'sign_in',
  });
  const found = await findUserOf(database, context, account);
  if (!found) return offerRegistration(context, account, browser);
  const { user, methods, isLinked } = found;
  if (isLinked && hasSecondFactor(provider, account)) {
    const details = await transaction(database, async (tx) => {
      const locked = await lockUserForShare(tx, user.userId);
      if (locked?.status !== 'active') throw failure('account_disabled');
      await noteUse(tx, context, locked.userId, account);
      return openSession(tx, context, { user: locked, amr: ['fed', 'mfa'] }, origin);
    });
    return { ...details, next: 'signed_in' };
  }
  const ticket = await issueLoginTicket(
    context,
    { user, methods, limitKeys: [] },
    { purpose: 'login', upstream: account, ...(browser !== undefined && { browser }) },
    origin.language,
  );
  // The caller has the account of the provider, so the address is not masked.
  return { ...ticket, next: 'second_factor', email: user.email };
}
