/**
 * Authenticates requests. A signature is verified once per token and key set; expiry and revocation
 * are checked in memory on every request. Only tokens that may be bound to a device without naming
 * it need a query.
 */
import type { Authenticator, PresentedToken, Principal } from '../../http/index.ts';
import { type TokenState, tokenRevoked } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { Failure, failure } from '../../lib/failures.ts';
import type { KeyRing } from '../keys/index.ts';
import type { ApplicationIdentity } from '../tokens/application-identity.ts';
import { type FindBoundNode, isBindingUnknown, withBoundNode } from './bound-node.ts';
import { createProofCheck } from './dpop-proof.ts';
import type { RecordDpopJti } from './dpop-replay-store.ts';
import { verifyAccessToken } from './verify-access-token.ts';

const CACHED_TOKENS_MAX = 20_000;
/** A user's operator scopes are valid for this long after the sign-in. */
const OPERATOR_AFTER_SIGN_IN_MS = 900_000;

export interface AuthenticatorOptions {
  readonly keys: KeyRing;
  readonly state: TokenState;
  readonly clock: Clock;
  /** Issuer and audience. */
  readonly baseUrl: string;
  readonly recordJti: RecordDpopJti;
  readonly applications: ApplicationIdentity;
  readonly findBoundNode: FindBoundNode;
}

interface VerifiedToken {
  principal: Principal;
  /** No revocation up to this version concerns the token; undefined: not checked yet. */
  version: number | undefined;
}

/** Verified tokens of the current key set; the oldest is evicted first. */
function createTokenCache({ keys, clock, baseUrl, applications }: AuthenticatorOptions) {
  const cache = new Map<string, VerifiedToken>();
  keys.onChange(() => cache.clear());
  return {
    get: (token: string) => cache.get(token),
    delete: (token: string) => cache.delete(token),
    async verify(token: string): Promise<VerifiedToken> {
      const keySet = await keys.current();
      const verified = {
        principal: await verifyAccessToken(keySet, token, { issuer: baseUrl, clock, applications }),
        version: undefined,
      };
      const [oldest = ''] = cache.keys();
      if (cache.size >= CACHED_TOKENS_MAX) cache.delete(oldest);
      if (keys.peek() === keySet) cache.set(token, verified);
      return verified;
    },
  };
}

const isOperatorScope = (scope: string): boolean => scope.startsWith('operator:');

/** True for the token of a user who is an operator; a client's own token is not limited in time. */
function isOperatorUser({ tokenUse, scopes }: Principal): boolean {
  return tokenUse === 'business' && [...scopes].some(isOperatorScope);
}

/** Removes operator scopes whose time has ended. */
function limitOperatorScopes(principal: Principal, now: Date): Principal {
  const signedInAt_ms = principal.authTime?.getTime() ?? 0;
  if (signedInAt_ms + OPERATOR_AFTER_SIGN_IN_MS > now.getTime() || !isOperatorUser(principal))
    return principal;
  return {
    ...principal,
    scopes: new Set([...principal.scopes].filter((scope) => !isOperatorScope(scope))),
  };
}

/** @throws `invalid_token` where the scheme does not fit the binding */
function checkScheme({ scheme }: PresentedToken, { jkt }: Principal): void {
  if (jkt !== undefined && scheme !== 'DPoP')
    throw failure('invalid_token', {
      detail: 'The token is bound to a key: present it as DPoP with its proof.',
    });
  if (jkt === undefined && scheme !== 'Bearer')
    throw failure('invalid_token', {
      detail: 'The token is not bound to a key: present it as Bearer.',
    });
}

/** Where the database does not answer, some routes take what memory of any age knows. */
function findReason(
  state: TokenState,
  { answersInOutage }: PresentedToken,
  principal: Principal,
): string | undefined | Promise<string | undefined> {
  const revoked = state.check(principal);
  if (!answersInOutage || !(revoked instanceof Promise)) return revoked;
  return revoked.catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'unavailable') return state.known(principal);
    throw error;
  });
}

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { state, clock, baseUrl, recordJti, findBoundNode } = options;
  const cache = createTokenCache(options);
  const checkProof = createProofCheck({ clock, baseUrl, recordJti });

  function accept(
    token: VerifiedToken,
    revoked: string | undefined,
    version: number | undefined,
  ): Principal {
    if (revoked !== undefined) throw tokenRevoked(revoked);
    token.principal = limitOperatorScopes(token.principal, clock.now());
    // Operator scopes end with time, not with a change: those tokens are checked on each request.
    if (!isOperatorUser(token.principal)) token.version = version;
    return token.principal;
  }

  async function checkState(
    presented: PresentedToken,
    token: VerifiedToken,
    proof: Promise<void> | undefined,
  ): Promise<Principal> {
    await proof;
    token.principal = await withBoundNode(token.principal, findBoundNode);
    const version = state.version();
    return accept(token, await findReason(state, presented, token.principal), version);
  }

  function authenticateVerified(
    presented: PresentedToken,
    token: VerifiedToken,
  ): Principal | Promise<Principal> {
    const { principal } = token;
    if (principal.expiresAt <= clock.now()) {
      cache.delete(presented.token);
      throw failure('invalid_token', { detail: 'The token has expired.' });
    }
    checkScheme(presented, principal);
    if (principal.jkt !== undefined)
      return checkState(presented, token, checkProof(presented, principal.jkt));
    if (isBindingUnknown(principal)) return checkState(presented, token, undefined);
    const version = state.version();
    if (version !== undefined && version === token.version) return principal;
    const revoked = findReason(state, presented, principal);
    if (!(revoked instanceof Promise)) return accept(token, revoked, version);
    return revoked.then((reason) => accept(token, reason, version));
  }

  return {
    authenticate(presented) {
      const known = cache.get(presented.token);
      if (known) return authenticateVerified(presented, known);
      return cache.verify(presented.token).then((token) => authenticateVerified(presented, token));
    },
  };
}
