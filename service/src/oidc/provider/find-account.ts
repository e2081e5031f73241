/** Accounts as the provider looks them up, and the sign-in behind a code, token or session. */
import type { Account, KoaContextWithOIDC } from 'oidc-provider';
import type { Db } from '../../db/index.ts';
import { findSignIn, readSignIn, type SignIn } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { grantTimeOf } from '../tokens/token-id.ts';
import { stateOf } from './request-state.ts';

/** The fields of a code, refresh token or device code that name its origin. */
interface GrantSource {
  readonly kind?: string;
  readonly sid?: string;
  readonly grantId?: string;
}

export interface SignIns {
  findAccount(ctx: KoaContextWithOIDC, sub: string, token?: unknown): Promise<Account | undefined>;
  /** What `findAccount` read for this request. */
  of(ctx: KoaContextWithOIDC | undefined): SignIn | undefined;
}

/** The sign-in that the cookie session belongs to; all clients of the session share its `sid`. */
export function loginSidOf(ctx: KoaContextWithOIDC): string | undefined {
  const result = ctx.oidc.result as { login?: { readonly sid?: string } } | undefined;
  if (result?.login) return result.login.sid;
  const { authorizations } = ctx.oidc.session ?? {};
  return Object.values(authorizations ?? {}).find(
    (authorization) => authorization?.sid !== undefined,
  )?.sid;
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

export function createSignIns(db: Db, clock: Clock): SignIns {
  const known = new WeakMap<KoaContextWithOIDC, SignIn>();
  return {
    of: (ctx) => ctx && known.get(ctx),
    async findAccount(ctx, sub, token) {
      const source = token as GrantSource | undefined;
      const { signIn: row } = stateOf(ctx);
      const signIn =
        row === undefined
          ? await findSignIn(db, clock.now(), {
              userId: Number(sub),
              sid: source ? source.sid : loginSidOf(ctx),
              grantId: source?.grantId,
              clientId: ctx.oidc.client?.clientId,
            })
          : row && readSignIn(row);
      if (!signIn || (source && !isRedeemable(signIn, source))) return undefined;
      known.set(ctx, signIn);
      const { email, nickname } = signIn;
      return {
        accountId: sub,
        claims: () => ({ sub, email, email_verified: true, nickname }),
      };
    },
  };
}
