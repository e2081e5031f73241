/** Access tokens (RFC 9068): RS256, `typ: at+jwt`. */
import { SignJWT } from 'jose';
import type { TokenUse } from '../../http/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { KeyRing } from '../keys/index.ts';
import { newTokenId } from './token-id.ts';

export interface TokenClaims {
  readonly token_use: TokenUse;
  /** Default: this service. */
  readonly aud?: string;
  readonly sub: string;
  readonly client_id: string;
  readonly scope: string;
  /** Unix time in seconds. */
  readonly exp: number;
  readonly sid?: string | undefined;
  readonly grant_id?: string | undefined;
  readonly auth_time?: number | undefined;
  readonly amr?: readonly string[] | undefined;
  readonly email?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  /** Present where `sub` and `sid` are those of an application: the account, encrypted. */
  readonly user_ref?: string | undefined;
  readonly node_id?: string | undefined;
  /** In the console's token of an operator: it shows the way to their pages. */
  readonly may_operate?: boolean | undefined;
  readonly cnf?: { readonly jkt: string } | undefined;
}

export interface SignedToken {
  readonly token: string;
  readonly jti: string;
}

export type SignToken = (claims: TokenClaims) => Promise<SignedToken>;

/** Makes the signer; `issuer` is the audience too: the API and its provider are one. */
export function createSignToken(keys: KeyRing, clock: Clock, issuer: string): SignToken {
  return async (claims) => {
    const { signing } = await keys.current();
    const now = clock.now();
    const jti = newTokenId(now);
    const token = await new SignJWT({
      iss: issuer,
      aud: issuer,
      iat: Math.floor(now.getTime() / 1000),
      jti,
      ...claims,
    })
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: signing.kid })
      .sign(signing.privateKey);
    return { token, jti };
  };
}
