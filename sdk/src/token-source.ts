/** Keeps a token fresh: refreshed before it expires, once however many calls wait for it, and stored before it is used. */
import { type OAuthOptions, refreshTokens, type TokenSet } from './oauth.ts';
import { EdgeError } from './problem.ts';

/** Where tokens are kept. A rotated refresh token must be stored before the old one is forgotten. */
export interface TokenStore {
  load(): Promise<TokenSet | undefined>;
  save(tokens: TokenSet): Promise<void>;
}

export interface TokenSource {
  /** A token with some life left. @throws EdgeError `signed_out` when there is none and none can be got */
  get(): Promise<TokenSet>;
  /** Gets another token in place of one that was refused. */
  renew(refused: string): Promise<TokenSet>;
}

/** Refreshed this long before the end: longer than a request takes. */
const EARLY_MS = 60_000;

/** A token that nobody refreshes. */
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

/** What the protocol calls an invalid grant is, for a person, a sign-in that is over. */
function explainEnd(error: unknown): never {
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
    // Another process with the same store may have been faster.
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
      ...(await refreshTokens(options, refreshToken).catch(explainEnd)),
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
