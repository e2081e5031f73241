/** The session of a sign-in, and its tokens. */
import { inOrder, type Transaction } from '../../db/index.ts';
import { newId } from '../../lib/ids.ts';
import type { IdentityContext } from '../context.ts';
import { logSecurityEvent } from '../security-log.ts';
import { createSession } from '../sessions/index.ts';
import type { RequestOrigin, User } from '../types.ts';
import { isKnownAddress } from './is-known-address.ts';

export interface UserDetails {
  readonly access_token: string;
  readonly device_token: string;
  /** Unix time in seconds. */
  readonly expire: number;
  readonly email: string;
}

/** Opens a session of a user who has signed in, and issues its tokens. */
export async function openSession(
  tx: Transaction,
  { clock, config, tokenIssuer, onNewAddress }: IdentityContext,
  { user: { userId, email }, amr }: { readonly user: User; readonly amr: readonly string[] },
  origin: RequestOrigin,
): Promise<UserDetails> {
  const sid = newId();
  const authTime = clock.now();
  const expiresAt = new Date(authTime.getTime() + config.LOGIN_TOKEN_TTL * 1000);
  const login = { userId, sid, amr, authTime, expiresAt };
  const { ip, userAgent, language } = origin;
  const tokens = tokenIssuer.issueLoginTokens({ ...login, email });
  // Sent together, while the tokens are signed; the address is looked up before it is logged.
  const isKnown = onNewAddress ? isKnownAddress(tx, clock, { userId, ip }) : true;
  await inOrder([
    isKnown,
    createSession(tx, { ...login, ip, userAgent }),
    logSecurityEvent(tx, clock, {
      userId,
      type: 'signed_in',
      origin,
      details: { sid, amr },
    }),
    tokens,
  ]);
  if (!(await isKnown)) await onNewAddress?.(tx, { userId, language });
  const { accessToken, deviceToken } = await tokens;
  return {
    access_token: accessToken,
    device_token: deviceToken,
    expire: Math.floor(expiresAt.getTime() / 1000),
    email,
  };
}
