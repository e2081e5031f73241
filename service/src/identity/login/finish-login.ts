/** Second step of signing in: ticket and factor give a session and its tokens. */
import type { Transaction } from '../../db/index.ts';
import type { IdentityContext } from '../context.ts';
import { readEmail } from '../emails.ts';
import { type FactorFields, readProof } from '../second-factors/verify-factor.ts';
import { logSecurityEvent } from '../security-log.ts';
import { createSession } from '../sessions/index.ts';
import type { Origin } from '../types.ts';
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
  { user, factor }: VerifiedUser,
  origin: Origin,
): Promise<UserDetails> {
  const { userId, email } = user;
  const authTime = clock.now();
  const amr = ['pwd', factor, 'mfa'];
  const expiresAt = new Date(authTime.getTime() + config.LOGIN_TOKEN_TTL * 1000);
  const { sid } = await createSession(tx, {
    userId,
    amr,
    authTime,
    expiresAt,
    ip: origin.ip,
    userAgent: origin.userAgent,
  });
  await logSecurityEvent(tx, clock, { userId, type: 'signed_in', origin, details: { sid, amr } });
  const tokens = await tokenIssuer.issueLoginTokens(tx, { userId, email, sid, amr, authTime });
  return {
    access_token: tokens.accessToken,
    device_token: tokens.deviceToken,
    expire: Math.floor(tokens.expiresAt.getTime() / 1000),
    email,
  };
}

/** Signs in: of parallel requests with one ticket exactly one gets tokens. */
export async function finishLogin(
  kit: IdentityContext,
  input: LoginVerification,
  origin: Origin,
  browser: string | undefined,
): Promise<UserDetails> {
  const presented = {
    ticket: input.login_ticket,
    purpose: 'login' as const,
    emailKey: readEmail(input.email).key,
    ...(browser !== undefined && { browser }),
  };
  return verifySecondFactor(kit, presented, readProof(input), origin, (tx, proven) =>
    openSession(tx, kit, proven, origin),
  );
}
