/** Accounts, as the provider asks for them: each request reads its person and sign-in once and remembers them. */
import type { Account, KoaContextWithOIDC } from 'oidc-provider';
import type { Db } from '../../db/index.ts';
import { findSignIn, readSignIn, type SignIn } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { grantTimeOf } from '../tokens/token-id.ts';
import { getUnitOfWork } from './unit-of-work.ts';

/** What a code, refresh token or device code says of where it came from. */
interface Source {
  readonly kind?: string;
  readonly sid?: string;
  readonly grantId?: string;
}

interface LoginResult {
  readonly sid?: string;
}

export interface SignIns {
  findAccount(ctx: KoaContextWithOIDC, sub: string, token?: unknown): Promise<Account | undefined>;
  /** What `findAccount` read for this request. */
  of(ctx: KoaContextWithOIDC | undefined): SignIn | undefined;
}

/** The login session that the provider's cookie session belongs to: all clients of one share it. */
export function loginSidOf(ctx: KoaContextWithOIDC): string | undefined {
  const result = ctx.oidc.result as { login?: LoginResult } | undefined;
  if (result?.login) return result.login.sid;
  const { authorizations } = ctx.oidc.session ?? {};
  return Object.values(authorizations ?? {}).find(
    (authorization) => authorization?.sid !== undefined,
  )?.sid;
}

/** True where a code or token may still be redeemed: codes while the sign-in lives, offline ones while their grant does. */
function isRedeemable(
  { isGrantRevoked, client, session, grantsValidAfter }: SignIn,
  { grantId, kind }: Source,
): boolean {
  // Who is not in the person's list could not be shut out by them.
  if (isGrantRevoked || !client?.isAuthorised) return false;
  const grantedAt = grantId === undefined ? undefined : grantTimeOf(grantId);
  const isTooOld = (validAfter: Date | undefined): boolean =>
    validAfter !== undefined && (!grantedAt || grantedAt <= validAfter);
  if (isTooOld(grantsValidAfter) || isTooOld(client.grantsValidAfter)) return false;
  return kind === 'RefreshToken' ? client.scopes.includes('offline_access') : session !== undefined;
}

export function createSignIns(db: Db, clock: Clock): SignIns {
  const known = new WeakMap<object, SignIn>();

  /** The sign-in that was read along with what is redeemed, or one of its own. */
  async function read(
    ctx: KoaContextWithOIDC,
    accountId: string,
    sid: string | undefined,
    grantId: string | undefined,
  ): Promise<SignIn | undefined> {
    const along = getUnitOfWork(ctx.req)?.signIn;
    if (along?.accountId === accountId && along.sid === sid)
      return along.row ? readSignIn(along.row) : undefined;
    return findSignIn(db, clock.now(), {
      userId: Number(accountId),
      sid,
      grantId,
      clientId: ctx.oidc.client?.clientId,
    });
  }

  return {
    of: (ctx) => (ctx ? known.get(ctx) : undefined),
    async findAccount(ctx, sub, token) {
      const source = token as Source | undefined;
      const signIn = await read(ctx, sub, source ? source.sid : loginSidOf(ctx), source?.grantId);
      if (!signIn || (source && !isRedeemable(signIn, source))) return undefined;
      known.set(ctx, signIn);
      return {
        accountId: sub,
        claims: () => ({
          sub,
          email: signIn.email,
          email_verified: true,
          nickname: signIn.nickname,
        }),
      };
    },
  };
}
