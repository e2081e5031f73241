/**
 * Keeps a token fresh: refreshes it before it expires, once for all waiting calls, and stores the
 * new one before use.
 */
import { type OAuthOptions, refreshTokens, type TokenSet } from './oauth.ts';
import { EdgeError } from './problem.ts';

/** Storage of tokens. A rotated refresh token must be stored before the old one is dropped. */
export interface TokenStore {
  load(): Promise<TokenSet | undefined>;
  save(tokens: TokenSet): Promise<void>;
}

export interface TokenSource {
  /** A valid token. @throws EdgeError `signed_out` when a new sign-in is needed */
  get(): Promise<TokenSet>;
  /** Replaces a token that was refused, with the refusal where it is known. */
  renew(refused: string, refusal?: EdgeError): Promise<TokenSet>;
}

/** Refreshed this long before it expires: longer than a request takes. */
const EARLY_MS = 60_000;

/** A token without refresh. */
export function fixedToken(
  accessToken: string,
  tokenType: TokenSet['tokenType'] = 'Bearer',
): TokenSource {
  const tokens: TokenSet = {
    accessToken,
    tokenType,
    scope: '',
    expiresAt_ms: Number.POSITIVE_INFINITY,
  };
  return {
    get: async () => tokens,
    renew: async () => {
      throw new EdgeError({
        status: 401,
        code: 'signed_out',
        detail: 'The token is no longer valid: sign in again.',
      });
    },
  };
}

/** An invalid refresh token means that the sign-in has ended. */
function toSignedOut(error: unknown): never {
  if (!(error instanceof EdgeError) || error.code !== 'invalid_grant') throw error;
  throw new EdgeError(
    { status: 401, code: 'signed_out', detail: 'The sign-in has ended: sign in again.' },
    undefined,
    error,
  );
}

export function createTokenSource(options: OAuthOptions, store: TokenStore): TokenSource {
  let current: TokenSet | undefined;
  let renewing: Promise<TokenSet> | undefined;

  async function refresh(): Promise<TokenSet> {
    // Another process that shares the store may have refreshed it.
    const stored = await store.load();
    if (
      stored &&
      stored.accessToken !== current?.accessToken &&
      stored.expiresAt_ms - options.clock.now_ms() > EARLY_MS
    ) {
      current = stored;
      return stored;
    }
    const refreshToken = stored?.refreshToken ?? current?.refreshToken;
    if (refreshToken === undefined)
      throw new EdgeError({
        status: 401,
        code: 'signed_out',
        detail: 'The sign-in has ended: sign in again.',
      });
    const fresh = {
      refreshToken,
      ...(await refreshTokens(options, refreshToken).catch(toSignedOut)),
    };
    await store.save(fresh);
    current = fresh;
    return fresh;
  }

  function renew(): Promise<TokenSet> {
    renewing ??= refresh().finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  return {
    async get() {
      current ??= await store.load();
      if (!current)
        throw new EdgeError({ status: 401, code: 'signed_out', detail: 'Sign in first.' });
      const left_ms = current.expiresAt_ms - options.clock.now_ms();
      if (left_ms > EARLY_MS || (current.refreshToken === undefined && left_ms > 0)) return current;
      return renew();
    },
    async renew(refused) {
      return current && current.accessToken !== refused ? current : renew();
    },
  };
}
