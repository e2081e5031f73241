/** Accounts as the provider looks them up, and the sign-in behind a code, token or session. */
import type { Account, AccountClaims, KoaContextWithOIDC } from 'oidc-provider';
import { findSignIn, readSignIn, type SignIn } from '../../identity/index.ts';
import type { Client } from '../clients/index.ts';
import type { OidcContext } from '../context.ts';
import { rolesOf } from '../tokens/roles.ts';
import { grantTimeOf } from '../tokens/token-id.ts';
import { stateOf } from './request-state.ts';

/** The fields of a code, refresh token or device code that name its origin. */
interface GrantSource {
  readonly kind?: string;
  readonly grantId?: string;
  /** The parameter `claims` of the request. */
  readonly claims?: { readonly id_token?: object };
}

/** The sign-in of a request, and the client that the tokens are for. */
export type RequestSignIn = SignIn & { readonly application?: Client | undefined };

export interface SignIns {
  findAccount(ctx: KoaContextWithOIDC, sub: string, token?: unknown): Promise<Account | undefined>;
  /** What `findAccount` read for this request. */
  of(ctx: KoaContextWithOIDC | undefined): RequestSignIn | undefined;
}

interface BrowserSession {
  readonly authorizations?: Readonly<Record<string, { readonly sid?: string } | undefined>>;
}

/** The sign-in of a session of the browser. */
export function sidOfSession(session: BrowserSession | undefined): string | undefined {
  return Object.values(session?.authorizations ?? {}).find(
    (authorization) => authorization?.sid !== undefined,
  )?.sid;
}

/** The sign-in that the cookie session belongs to; all clients of the session share its `sid`. */
export function loginSidOf(ctx: KoaContextWithOIDC): string | undefined {
  const result = ctx.oidc.result as { login?: { readonly sid?: string } } | undefined;
  if (result?.login) return result.login.sid;
  return sidOfSession(ctx.oidc.session);
}

/** Codes are redeemable while the sign-in lives, refresh tokens while their grant does. */
function isRedeemable(
  { isGrantRevoked, client, session, grantsValidAfter }: SignIn,
  { grantId, kind }: GrantSource,
): boolean {
  // The user can revoke only clients that the list of connected applications shows.
  if (isGrantRevoked || !client?.isAuthorised) return false;
  const grantedAt = grantId === undefined ? undefined : grantTimeOf(grantId);
  const isTooOld = (validAfter: Date | undefined): boolean =>
    validAfter !== undefined && (!grantedAt || grantedAt <= validAfter);
  if (isTooOld(grantsValidAfter) || isTooOld(client.grantsValidAfter)) return false;
  return kind === 'RefreshToken' ? client.scopes.includes('offline_access') : session !== undefined;
}

/** The claims of the scopes `profile` and `email` (OpenID Connect Core 5.4). */
const USERINFO_CLAIMS: ReadonlySet<string> = new Set(['email', 'email_verified', 'nickname']);

/** The access token of the response is for this service, and so for its userinfo. */
function canReadUserInfo({ oidc }: KoaContextWithOIDC, baseUrl: string): boolean {
  const { AccessToken: token } = oidc.entities as { AccessToken?: { aud?: string } };
  return token?.aud === undefined || token.aud === baseUrl;
}

/**
 * Beside an access token these claims are read with it (OpenID Connect Core 5.4), unless the
 * request asked for them in the ID token: applications send ID tokens in addresses, as hints.
 */
function withoutUserInfo(claims: AccountClaims, requested: object): AccountClaims {
  return Object.fromEntries(
    Object.entries(claims).filter(([name]) => !USERINFO_CLAIMS.has(name) || name in requested),
  ) as AccountClaims;
}

export function createSignIns(context: OidcContext): SignIns {
  const { baseUrl, database, clock, clients, applications } = context;
  const known = new WeakMap<KoaContextWithOIDC, RequestSignIn>();
  return {
    of: (ctx) => ctx && known.get(ctx),
    async findAccount(ctx, sub, token) {
      const source = token as GrantSource | undefined;
      const { signIn: row, loginSid } = stateOf(ctx);
      const { client } = ctx.oidc;
      const signIn =
        row === undefined
          ? await findSignIn(database, clock.now(), {
              userId: Number(sub),
              sid: source ? loginSid : loginSidOf(ctx),
              grantId: source?.grantId,
              clientId: client?.clientId,
            })
          : row && readSignIn(row);
      if (!signIn || (source && !isRedeemable(signIn, source))) return undefined;
      const application = client && (await clients.find(client.clientId));
      known.set(ctx, { ...signIn, application });
      const { email, groups, nickname, userId } = signIn;
      // Tokens are made with a source: their subject is that of the application.
      const accountId = source && application ? applications.subjectOf(application, userId) : sub;
      return {
        accountId,
        claims: (use) => {
          const claims = {
            ...{ sub: accountId, email, email_verified: true, groups, nickname },
            roles: rolesOf(application, groups),
          };
          return use === 'id_token' && canReadUserInfo(ctx, baseUrl)
            ? withoutUserInfo(claims, source?.claims?.id_token ?? {})
            : claims;
        },
      };
    },
  };
}
