/** Device tokens as the API's guard reads them, and refresh tokens as they follow one another. */
import { createHmac } from 'node:crypto';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { CONSOLE_CLIENT_ID } from '../../http/index.ts';
import type { SignIn, TokenState } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { newTokenId } from '../tokens/token-id.ts';
import type { SignIns } from './find-account.ts';
import { getUnitOfWork } from './unit-of-work.ts';

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
  const { AuthorizationCode, RefreshToken, DeviceCode } = (ctx?.oidc.entities ?? {}) as Record<
    string,
    Source | undefined
  >;
  return AuthorizationCode ?? RefreshToken ?? DeviceCode ?? {};
}

/** Factors that make a sign-in strong enough for an operator. */
const STRONG_FACTORS: ReadonlySet<string> = new Set(['otp', 'hwk', 'swk']);
/** Operators' scopes are given so soon after the sign-in only; the guard takes them away again then. */
export const OPERATOR_AFTER_SIGN_IN_S = 900;

/** The operator's scopes of a person: in the console only, right after a strong sign-in. */
function operatorScopes(
  signIn: SignIn | undefined,
  { authTime = 0, amr = [] }: Source,
  now_s: number,
): readonly string[] {
  const isStrong = amr.some((factor) => STRONG_FACTORS.has(factor));
  return isStrong && now_s - authTime <= OPERATOR_AFTER_SIGN_IN_S
    ? (signIn?.operatorScopes ?? [])
    : [];
}

/**
 * Adds what decisions of the API need; leaves out a `sid` whose sign-in has ended: the token is then the offline
 * grant's. The service's own console is no device: its token is the signed-in person's, like that of a login.
 */
export function customizeToken(
  { clock, tokenState }: { clock: Clock; tokenState: TokenState },
  signIns: SignIns,
) {
  return (
    ctx: KoaContextWithOIDC | undefined,
    token: IssuedToken,
    { payload }: Parts,
  ): undefined => {
    // As old as what it is made from: a revocation that commits meanwhile concerns it.
    const now = getUnitOfWork(ctx?.req)?.openedAt ?? clock.now();
    const now_s = Math.floor(now.getTime() / 1000);
    const signIn = signIns.of(ctx);
    const source = sourceOf(ctx);
    const jti = newTokenId(now);
    const { grantId } = token;
    const isConsole = payload.client_id === CONSOLE_CLIENT_ID;
    const nodeId = tokenState.nodeOf(jti, grantId);
    const { authTime: auth_time, amr } = source;
    const extra = {
      sid: signIn?.session?.sid,
      grant_id: grantId,
      auth_time,
      amr,
      email: signIn?.email,
      node_id: nodeId,
    };
    Object.assign(payload, { token_use: isConsole ? 'business' : 'device', jti, iat: now_s });
    if (isConsole)
      payload.scope = [payload.scope, ...operatorScopes(signIn, source, now_s)].join(' ');
    // The console shows the way to the operator pages; the scopes themselves want a strong sign-in.
    if (isConsole && (signIn?.operatorScopes.length ?? 0) > 0) payload.may_operate = true;
    for (const [name, value] of Object.entries(extra))
      if (value !== undefined) payload[name] = value;
  };
}

/** The token that follows a refresh token: the same for each retry, and to be guessed by nobody without the key. */
export function refreshSuccessor(key: Buffer, token: string): string {
  return createHmac('sha256', key).update(token).digest('base64url');
}
