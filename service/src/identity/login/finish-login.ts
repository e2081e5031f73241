/** Second step of the login: ticket and factor give a session and its tokens. */
import { inOrder, type Transaction } from '../../db/index.ts';
import { newId } from '../../lib/ids.ts';
import type { IdentityContext } from '../context.ts';
import { readEmail } from '../emails.ts';
import { type FactorFields, readProof } from '../second-factors/verify-factor.ts';
import { logSecurityEvent } from '../security-log.ts';
import { createSession } from '../sessions/index.ts';
import type { RequestOrigin } from '../types.ts';
import { type VerifiedUser, verifySecondFactor } from './verify-second-factor.ts';

export interface LoginVerification extends FactorFields {
  readonly email: string;
  readonly login_ticket: string;
}

export interface UserDetails {
  readonly access_token: string;
  readonly device_token: string;
  /** Unix time in seconds. */
  readonly expire: number;
  readonly email: string;
}

async function openSession(
  tx: Transaction,
  { clock, config, tokenIssuer }: IdentityContext,
  { user: { userId, email }, factor }: VerifiedUser,
  origin: RequestOrigin,
): Promise<UserDetails> {
  const sid = newId();
  const authTime = clock.now();
  const expiresAt = new Date(authTime.getTime() + config.LOGIN_TOKEN_TTL * 1000);
  const login = { userId, sid, amr: ['pwd', factor, 'mfa'], authTime, expiresAt };
  const { ip, userAgent } = origin;
  const tokens = tokenIssuer.issueLoginTokens({ ...login, email });
  // Sent together, while the tokens are signed.
  await inOrder([
    createSession(tx, { ...login, ip, userAgent }),
    logSecurityEvent(tx, clock, {
      userId,
      type: 'signed_in',
      origin,
      details: { sid, amr: login.amr },
    }),
    tokens,
  ]);
  const { accessToken, deviceToken } = await tokens;
  return {
    access_token: accessToken,
    device_token: deviceToken,
    expire: Math.floor(expiresAt.getTime() / 1000),
    email,
  };
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
    finish: (tx, verified) => openSession(tx, context, verified, origin),
  });
  context.background.run(() => context.challenges.remember(origin.ip));
  return signedIn;
}
