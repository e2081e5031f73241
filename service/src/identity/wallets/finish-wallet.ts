/**
 * Sign-in by a wallet that the user has linked: its signature takes the place of the password, and
 * the second factor follows.
 */
import { queryNamed } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import { toSubnet } from '../../lib/rate-limit-subnet.ts';
import { type FullSession, requireFreshProof } from '../account/require-reauthentication.ts';
import type { IdentityContext } from '../context.ts';
import type { RateLimitKey } from '../limits.ts';
import { issueLoginTicket, type LoginResult } from '../login/issue-login-ticket.ts';
import { toUser, USER_COLUMNS, type UserRow } from '../queries.ts';
import {
  FACTOR_COLUMNS,
  type FactorRow,
  methodsOf,
  toFactors,
} from '../second-factors/available-methods.ts';
import type { RequestOrigin } from '../types.ts';
import { linkAccount } from '../upstream/upstream-identities.ts';
import { isSignedByContract, isSignedByKey } from './verify-signature.ts';
import { toSubject, type WalletSigner } from './wallet-chains.ts';
import {
  type OpenedChallenge,
  openChallenge,
  type StartedChallenge,
  startChallenge,
  type WalletOrder,
} from './wallet-challenge.ts';

export interface SignedChallenge {
  readonly challenge: string;
  readonly signature: string;
}

/**
 * What a wallet signs to sign in.
 * @throws `invalid_parameter`, `rate_limited`
 */
export async function startWalletSignIn(
  context: IdentityContext,
  order: WalletOrder,
  origin: RequestOrigin,
  browser: string | undefined,
): Promise<StartedChallenge> {
  await context.limits.consume(['upstream-ip', toSubnet(origin.ip)]);
  return startChallenge(context, order, { purpose: 'sign_in' }, browser);
}

/** What signed, unless a contract says otherwise. */
async function findSigner(
  { wallet, message }: OpenedChallenge,
  signature: string,
): Promise<WalletSigner> {
  return (await isSignedByKey(wallet, message, signature.toLowerCase())) ? 'key' : 'contract';
}

/** @throws `invalid_ticket`, `wallet_signature_invalid` */
async function spendSigned(
  { runOnChain }: IdentityContext,
  { wallet, message, spend }: OpenedChallenge,
  { signer, signature }: { readonly signer: WalletSigner; readonly signature: string },
): Promise<void> {
  const proof = { signature: signature.toLowerCase(), run: runOnChain };
  if (signer === 'contract' && !(await isSignedByContract(wallet, message, proof)))
    throw failure('wallet_signature_invalid');
  await spend();
}

/**
 * @throws `invalid_ticket`, `wallet_unknown`, `wallet_signature_invalid`, `account_disabled`,
 *   `rate_limited`
 */
export async function finishWalletSignIn(
  context: IdentityContext,
  { challenge, signature }: SignedChallenge,
  origin: RequestOrigin,
  browser: string | undefined,
): Promise<LoginResult & { readonly email: string }> {
  const { clock, database, limits } = context;
  const limitKey: RateLimitKey = ['code-ip', toSubnet(origin.ip)];
  await limits.consume(limitKey);
  const opened = openChallenge(context, challenge, browser);
  if (opened.use.purpose !== 'sign_in') throw failure('invalid_ticket');
  const signer = await findSigner(opened, signature);
  const upstream = toSubject(opened.wallet, signer);
  const { rows } = await queryNamed<UserRow & FactorRow>(
    database,
    `select ${USER_COLUMNS}, ${FACTOR_COLUMNS}
     from app_user u left join user_security s on s.user_id = u.id
     where u.id = (
       select user_id from upstream_identity where issuer = :issuer and subject = :subject)`,
    upstream,
  );
  const [row] = rows;
  // Only who has the key learns whether the wallet is linked, and only for a linked contract an
  // endpoint of its chain is asked.
  if (!row) throw failure(signer === 'key' ? 'wallet_unknown' : 'wallet_signature_invalid');
  await spendSigned(context, opened, { signer, signature });
  await limits.refund([limitKey]);
  const user = toUser(row);
  const ticket = await issueLoginTicket(
    context,
    { user, methods: methodsOf(toFactors(row), clock.now()), limitKeys: [] },
    { purpose: 'login', upstream, ...(browser !== undefined && { browser }) },
    origin.language,
  );
  return { ...ticket, email: user.email };
}

/**
 * What a wallet signs to be linked.
 * @throws `invalid_parameter`, `reauthentication_required`, `rate_limited`
 */
export async function startWalletLink(
  context: IdentityContext,
  session: FullSession,
  order: WalletOrder,
  browser: string | undefined,
): Promise<StartedChallenge> {
  await requireFreshProof(context.database, context, session);
  await context.limits.consume(['upstream-ip', toSubnet(session.origin.ip)]);
  return startChallenge(context, order, { purpose: 'link', sid: session.sid }, browser);
}

/**
 * Links the wallet of a challenge that this session started.
 * @throws `reauthentication_required`, `invalid_ticket`, `wallet_signature_invalid`,
 *   `upstream_identity_taken`, `linked_account_limit`, `rate_limited`
 */
export async function linkWallet(
  context: IdentityContext,
  session: FullSession,
  { challenge, signature }: SignedChallenge,
  browser: string | undefined,
): Promise<void> {
  const { limits } = context;
  await requireFreshProof(context.database, context, session);
  // A contract wallet has this service ask the endpoints of its chain.
  const limitKey: RateLimitKey = ['code-ip', toSubnet(session.origin.ip)];
  await limits.consume(limitKey);
  const opened = openChallenge(context, challenge, browser);
  const { use, wallet } = opened;
  if (use.purpose !== 'link' || use.sid !== session.sid) throw failure('invalid_ticket');
  const signer = await findSigner(opened, signature);
  await spendSigned(context, opened, { signer, signature });
  await limits.refund([limitKey]);
  await linkAccount(context, session, toSubject(wallet, signer));
}
