/** Device tokens as the API's guard reads them, and refresh tokens as they follow one another. */
import { createHmac } from 'node:crypto';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { TokenState } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { newTokenId } from '../tokens/token-id.ts';
import type { SignIns } from './sign-ins.ts';

interface IssuedToken {
  readonly kind: string;
  readonly grantId?: string;
}

interface Parts {
  header?: Record<string, unknown>;
  payload: Record<string, unknown>;
}

/** What the token was made from: code, refresh token or device code. */
interface Source {
  readonly authTime?: number;
  readonly amr?: readonly string[];
}

function sourceOf(ctx: KoaContextWithOIDC | undefined): Source {
  const { AuthorizationCode, RefreshToken, DeviceCode } = (ctx?.oidc.entities ?? {}) as Record<string, Source | undefined>;
  return AuthorizationCode ?? RefreshToken ?? DeviceCode ?? {};
}

/** Adds what decisions of the API need; leaves out a `sid` whose sign-in has ended: the token is then the offline grant's. */
export function customizeToken({ clock, tokenState }: { clock: Clock; tokenState: TokenState }, signIns: SignIns) {
  return (ctx: KoaContextWithOIDC | undefined, token: IssuedToken, parts: Parts): undefined => {
    const now = clock.now();
    const signIn = signIns.of(ctx);
    const { authTime, amr } = sourceOf(ctx);
    const jti = newTokenId(now);
    const { grantId } = token;
    const nodeId = tokenState.nodeOf(jti, grantId);
    const extra = { sid: signIn?.session?.sid, grant_id: grantId, auth_time: authTime, amr, email: signIn?.email, node_id: nodeId };
    Object.assign(parts.payload, { token_use: 'device', jti, iat: Math.floor(now.getTime() / 1000) });
    for (const [name, value] of Object.entries(extra)) if (value !== undefined) parts.payload[name] = value;
  };
}

/** The token that follows a refresh token: the same for each retry, and to be guessed by nobody without the key. */
export function refreshSuccessor(key: Buffer, token: string): string {
  return createHmac('sha256', key).update(token).digest('base64url');
}
