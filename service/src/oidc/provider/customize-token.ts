/** Claims of device tokens, as the guard of the API reads them. */
import type { KoaContextWithOIDC } from 'oidc-provider';
import { CONSOLE_CLIENT_ID, scopesOfGrants, type TokenUse } from '../../http/index.ts';
import type { SignIn } from '../../identity/index.ts';
import type { OidcContext } from '../context.ts';
import type { FindBoundNode } from '../guard/bound-node.ts';
import type { ApplicationIdentity } from '../tokens/application-identity.ts';
import { rolesOf } from '../tokens/roles.ts';
import { OPERATOR_SCOPES, splitScopes } from '../tokens/scopes.ts';
import { newTokenId } from '../tokens/token-id.ts';
import type { RequestSignIn, SignIns } from './find-account.ts';
import { stateOf } from './request-state.ts';

interface IssuedToken {
  readonly kind: string;
  readonly grantId?: string;
}

/** The code, refresh token or device code that a token is made from. */
interface GrantSource {
  readonly authTime?: number;
  readonly amr?: readonly string[];
}

function sourceOf(ctx: KoaContextWithOIDC | undefined): GrantSource {
  const { AuthorizationCode, RefreshToken, DeviceCode } = (ctx?.oidc.entities ?? {}) as Record<
    string,
    GrantSource | undefined
  >;
  return AuthorizationCode ?? RefreshToken ?? DeviceCode ?? {};
}

/** Factors that make a sign-in strong enough for an operator. */
const STRONG_FACTORS: ReadonlySet<string> = new Set(['otp', 'hwk', 'swk']);
/** Operator scopes are granted this long after the sign-in; the guard removes them then. */
export const OPERATOR_AFTER_SIGN_IN_S = 900;

/** Operator scopes of a user: in the console only, right after a strong sign-in. */
function operatorScopes(
  signIn: SignIn | undefined,
  { authTime = 0, amr = [] }: GrantSource,
  now_s: number,
): readonly string[] {
  const isStrong = amr.some((factor) => STRONG_FACTORS.has(factor));
  return isStrong && now_s - authTime <= OPERATOR_AFTER_SIGN_IN_S
    ? scopesOfGrants(signIn?.operatorGrants ?? [], OPERATOR_SCOPES)
    : [];
}

/** `sub` and `sid` as the application may know them. */
function nameAccount(
  applications: ApplicationIdentity,
  { userId, session, application }: RequestSignIn,
): object {
  if (!application || application.isFirstParty) return { sid: session?.sid };
  return {
    sub: applications.subjectOf(application, userId),
    sid: session && applications.sessionOf(application, session.sid),
    user_ref: applications.encryptAccount({ userId, sid: session?.sid }),
  };
}

/** A grant is bound to a device by its first token: refreshed tokens name the device themselves. */
async function findNode(
  ctx: KoaContextWithOIDC | undefined,
  token: { readonly jti: string; readonly grantId: string | undefined },
  findBoundNode: FindBoundNode,
): Promise<string | undefined> {
  const { jti, grantId } = token;
  if (grantId === undefined || !ctx?.oidc.entities.RefreshToken) return undefined;
  return findBoundNode({ jti, grantId });
}

function useOf({ aud, client_id }: Readonly<Record<string, unknown>>, baseUrl: string): TokenUse {
  if (aud !== baseUrl) return 'api';
  return client_id === CONSOLE_CLIENT_ID ? 'business' : 'device';
}

/**
 * Adds the claims that the API decides by. The `sid` is left out once its sign-in has ended: the
 * token then belongs to the offline grant. The token of the console is the user's business token,
 * like that of a login.
 */
export function customizeToken(
  { baseUrl, clock, findBoundNode, applications }: OidcContext,
  signIns: SignIns,
) {
  return async (
    ctx: KoaContextWithOIDC | undefined,
    token: IssuedToken,
    { payload }: { payload: Record<string, unknown> },
  ): Promise<void> => {
    const { grantId } = token;
    // The time before anything was read: a revocation that commits meanwhile applies to the token.
    const now = stateOf(ctx).receivedAt ?? clock.now();
    const now_s = Math.floor(now.getTime() / 1000);
    const signIn = signIns.of(ctx);
    const source = sourceOf(ctx);
    const jti = newTokenId(now);
    const scopes = splitScopes(String(payload.scope));
    const use = useOf(payload, baseUrl);
    const isConsole = use === 'business';
    const claims = {
      token_use: use,
      jti,
      iat: now_s,
      // As long as the answer says: the library counts from a later instant.
      exp: now_s + Number(payload.exp) - Number(payload.iat),
      ...(signIn && nameAccount(applications, signIn)),
      grant_id: grantId,
      auth_time: source.authTime,
      amr: source.amr,
      email: scopes.includes('email') ? signIn?.email : undefined,
      groups: scopes.includes('groups') ? signIn?.groups : undefined,
      roles: scopes.includes('roles')
        ? signIn && rolesOf(signIn.application, signIn.groups)
        : undefined,
      node_id: use === 'api' ? undefined : await findNode(ctx, { jti, grantId }, findBoundNode),
      ...(isConsole && {
        scope: [payload.scope, ...operatorScopes(signIn, source, now_s)].join(' '),
        // The console then links to the operator pages; the scopes need a strong sign-in.
        may_operate: (signIn?.operatorGrants.length ?? 0) > 0 || undefined,
      }),
    };
    for (const [name, value] of Object.entries(claims))
      if (value !== undefined) payload[name] = value;
  };
}
