/**
 * Who presents a token. A signature is verified once per token and key set; expiry, revocation and binding are
 * looked up in memory at every request, so the hot path asks neither a key nor the database.
 */
import type { Authenticator, PresentedToken, Principal } from '../../http/index.ts';
import type { TokenState } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';
import type { KeyRing, KeySet } from '../keys/index.ts';
import { createProofCheck } from './dpop-proof.ts';
import { verifyToken } from './verify-token.ts';

const CACHE_MAX = 20_000;
/** Operators' scopes of a person count only so long after the sign-in. */
const OPERATOR_AFTER_SIGN_IN_MS = 900_000;

export interface AuthenticatorOptions {
  readonly keys: KeyRing;
  readonly state: TokenState;
  readonly clock: Clock;
  /** Issuer and audience. */
  readonly baseUrl: string;
}

/** Verified tokens of one key set, least recently used first. */
function createCache() {
  const entries = new Map<string, Principal>();
  return {
    get(token: string): Principal | undefined {
      const principal = entries.get(token);
      if (!principal) return undefined;
      entries.delete(token);
      entries.set(token, principal);
      return principal;
    },
    set(token: string, principal: Principal): void {
      entries.set(token, principal);
      if (entries.size <= CACHE_MAX) return;
      const oldest = entries.keys().next();
      if (!oldest.done) entries.delete(oldest.value);
    },
    delete: (token: string) => entries.delete(token),
    clear: () => entries.clear(),
  };
}

function withoutOperatorScopes(principal: Principal): Principal {
  return { ...principal, scopes: new Set([...principal.scopes].filter((scope) => !scope.startsWith('operator:'))) };
}

export function createAuthenticator({ keys, state, clock, baseUrl }: AuthenticatorOptions): Authenticator {
  const cache = createCache();
  const checkProof = createProofCheck(clock, baseUrl);
  keys.onChange(() => cache.clear());

  async function verify(token: string): Promise<Principal> {
    const set: KeySet = await keys.current();
    const { principal } = await verifyToken(set, token, baseUrl, clock);
    if (keys.peek() === set) cache.set(token, principal);
    return principal;
  }

  /** Binding, and the end of a person's operator rights: both can come after the token was verified. */
  function bringUpToDate(token: string, principal: Principal): Principal {
    let fresh = principal;
    const nodeId = principal.nodeId ?? state.nodeOf(principal.jti, principal.grantId);
    if (nodeId !== undefined && nodeId !== principal.nodeId) fresh = { ...fresh, nodeId };
    const isOldSignIn = (principal.authTime?.getTime() ?? 0) + OPERATOR_AFTER_SIGN_IN_MS <= clock.now().getTime();
    if (principal.tokenUse === 'business' && isOldSignIn && [...principal.scopes].some((scope) => scope.startsWith('operator:')))
      fresh = withoutOperatorScopes(fresh);
    if (fresh !== principal) cache.set(token, fresh);
    return fresh;
  }

  function accept(token: string, principal: Principal, revoked: string | undefined): Principal {
    if (revoked !== undefined) throw failure('token_revoked', { extra: { reason: revoked }, detail: `The token was revoked: ${revoked}.` });
    return bringUpToDate(token, principal);
  }

  function checkScheme(presented: PresentedToken, principal: Principal): Promise<void> | undefined {
    if (principal.jkt !== undefined) {
      if (presented.scheme !== 'DPoP') throw failure('invalid_token', { detail: 'The token is bound to a key: present it as DPoP with its proof.' });
      return checkProof(presented, principal.jkt);
    }
    if (presented.scheme !== 'Bearer') throw failure('invalid_token', { detail: 'The token is not bound to a key: present it as Bearer.' });
    return undefined;
  }

  async function finish(presented: PresentedToken, principal: Principal, proof: Promise<void> | undefined): Promise<Principal> {
    await proof;
    return accept(presented.token, principal, await state.check(principal));
  }

  function authenticateVerified(presented: PresentedToken, principal: Principal): Principal | Promise<Principal> {
    if (principal.expiresAt <= clock.now()) {
      cache.delete(presented.token);
      throw failure('invalid_token', { detail: 'The token has expired.' });
    }
    const proof = checkScheme(presented, principal);
    if (proof) return finish(presented, principal, proof);
    const revoked = state.check(principal);
    return revoked instanceof Promise ? finish(presented, principal, undefined) : accept(presented.token, principal, revoked);
  }

  return {
    authenticate(presented) {
      const known = cache.get(presented.token);
      if (known) return authenticateVerified(presented, known);
      return verify(presented.token).then((principal) => authenticateVerified(presented, principal));
    },
  };
}
