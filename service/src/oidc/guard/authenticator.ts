/**
 * Who presents a token. A signature is verified once per token and key set; expiry, revocation and binding are
 * looked up in memory at every request, so the hot path asks neither a key nor the database.
 */
import type { Authenticator, PresentedToken, Principal } from '../../http/index.ts';
import { type TokenState, tokenRevoked } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';
import type { KeyRing, KeySet } from '../keys/index.ts';
import { createProofCheck } from './dpop-proof.ts';
import type { RecordDpopJti } from './dpop-replay-store.ts';
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
  readonly takeProof: RecordDpopJti;
}

interface Entry {
  principal: Principal;
  /** Nothing that happened to tokens up to this version concerns it. */
  version: number | undefined;
}

/** Verified tokens of one key set, in two generations: what is used moves on to the younger, what is not falls out with the older. */
function createCache() {
  let young = new Map<string, Entry>();
  let old = new Map<string, Entry>();
  function set(token: string, entry: Entry): void {
    if (young.size >= CACHE_MAX / 2) {
      old = young;
      young = new Map();
    }
    young.set(token, entry);
  }
  return {
    set,
    get(token: string): Entry | undefined {
      const entry = young.get(token);
      if (entry) return entry;
      const older = old.get(token);
      if (older) set(token, older);
      return older;
    },
    delete(token: string): void {
      young.delete(token);
      old.delete(token);
    },
    clear(): void {
      young = new Map();
      old = new Map();
    },
  };
}

function isPersonAsOperator({ tokenUse, scopes }: Principal): boolean {
  return tokenUse === 'business' && [...scopes].some((scope) => scope.startsWith('operator:'));
}

function withoutOperatorScopes(principal: Principal): Principal {
  return {
    ...principal,
    scopes: new Set([...principal.scopes].filter((scope) => !scope.startsWith('operator:'))),
  };
}

export function createAuthenticator({
  keys,
  state,
  clock,
  baseUrl,
  takeProof,
}: AuthenticatorOptions): Authenticator {
  const cache = createCache();
  const checkProof = createProofCheck({ clock, baseUrl, takeProof });
  keys.onChange(() => cache.clear());

  async function verify(token: string): Promise<Entry> {
    const set: KeySet = await keys.current();
    const { principal } = await verifyToken(set, token, baseUrl, clock);
    const entry = { principal, version: undefined };
    if (keys.peek() === set) cache.set(token, entry);
    return entry;
  }

  /** Binding, and the end of a person's operator rights: both can come after the token was verified. */
  function bringUpToDate(entry: Entry): Principal {
    const { principal } = entry;
    const nodeId = principal.nodeId ?? state.nodeOf(principal.jti, principal.grantId);
    if (nodeId !== undefined && nodeId !== principal.nodeId)
      entry.principal = { ...principal, nodeId };
    const isOldSignIn =
      (principal.authTime?.getTime() ?? 0) + OPERATOR_AFTER_SIGN_IN_MS <= clock.now().getTime();
    if (isOldSignIn && isPersonAsOperator(principal))
      entry.principal = withoutOperatorScopes(entry.principal);
    return entry.principal;
  }

  function accept(
    entry: Entry,
    revoked: string | undefined,
    version: number | undefined,
  ): Principal {
    if (revoked !== undefined) throw tokenRevoked(revoked);
    const principal = bringUpToDate(entry);
    // Operators' scopes of a person end with time, not with a change: those tokens are looked at each time.
    if (!isPersonAsOperator(principal)) entry.version = version;
    return principal;
  }

  function checkScheme(presented: PresentedToken, principal: Principal): Promise<void> | undefined {
    if (principal.jkt !== undefined) {
      if (presented.scheme !== 'DPoP')
        throw failure('invalid_token', {
          detail: 'The token is bound to a key: present it as DPoP with its proof.',
        });
      return checkProof(presented, principal.jkt);
    }
    if (presented.scheme !== 'Bearer')
      throw failure('invalid_token', {
        detail: 'The token is not bound to a key: present it as Bearer.',
      });
    return undefined;
  }

  async function finish(entry: Entry, proof: Promise<void> | undefined): Promise<Principal> {
    await proof;
    const version = state.version();
    return accept(entry, await state.check(entry.principal), version);
  }

  function authenticateVerified(
    presented: PresentedToken,
    entry: Entry,
  ): Principal | Promise<Principal> {
    const { principal } = entry;
    if (principal.expiresAt <= clock.now()) {
      cache.delete(presented.token);
      throw failure('invalid_token', { detail: 'The token has expired.' });
    }
    const proof = checkScheme(presented, principal);
    if (proof) return finish(entry, proof);
    const version = state.version();
    if (version === undefined) return finish(entry, undefined);
    if (version === entry.version) return principal;
    const revoked = state.check(principal);
    return revoked instanceof Promise ? finish(entry, undefined) : accept(entry, revoked, version);
  }

  return {
    authenticate(presented) {
      const known = cache.get(presented.token);
      if (known) return authenticateVerified(presented, known);
      return verify(presented.token).then((entry) => authenticateVerified(presented, entry));
    },
  };
}
