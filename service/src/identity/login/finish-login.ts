/** Second step of the login: ticket and factor give a session and its tokens. */
import type { Transaction } from '../../db/index.ts';
import type { IdentityContext } from '../context.ts';
import { readEmail } from '../emails.ts';
import { type FactorFields, readProof } from '../second-factors/verify-factor.ts';
import type { RequestOrigin } from '../types.ts';
import { useIdentity } from '../upstream/upstream-identities.ts';
import { openSession, type UserDetails } from './open-session.ts';
import { type VerifiedUser, verifySecondFactor } from './verify-second-factor.ts';

export interface LoginVerification extends FactorFields {
  readonly email: string;
  readonly login_ticket: string;
}

/** Opens the session; an upstream provider that took the place of the password is linked now. */
async function signIn(
  tx: Transaction,
  context: IdentityContext,
  { user, factor, ticket: { upstream } }: VerifiedUser,
  origin: RequestOrigin,
): Promise<UserDetails> {
  if (upstream) await useIdentity(tx, context, { user, origin, factor }, upstream);
  const amr = [upstream ? 'fed' : 'pwd', factor, 'mfa'];
  return openSession(tx, context, { user, amr }, origin);
}

/** Signs in: of parallel requests with one ticket exactly one gets tokens. */
export async function finishLogin(
  context: IdentityContext,
  input: LoginVerification,
  origin: RequestOrigin,
  browser: string | undefined,
): Promise<UserDetails> {
  const signedIn = await verifySecondFactor(context, {
    presented: {
      ticket: input.login_ticket,
      purpose: 'login',
      emailKey: readEmail(input.email).key,
      ...(browser !== undefined && { browser }),
    },
    proof: readProof(input),
    origin,
    finish: (tx, verified) => signIn(tx, context, verified, origin),
  });
  context.background.run(() => context.challenges.remember(origin.ip));
  return signedIn;
}
