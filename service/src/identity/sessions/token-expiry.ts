/**
 * When the last access token that was signed expires: revocations stay for as long. The settings
 * do not say it: LOGIN_TOKEN_TTL may have been longer before a restart, or is at another instance.
 */
import { type Database, defineStatement, execute } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';

/**
 * Recorded is a later time, so that it is seldom written, and that a request which signs while
 * something is revoked finds its token covered.
 */
const AHEAD_MS = 3_600_000;
const RAISE_EVERY_MS = 600_000;

const RAISE = defineStatement(
  'raise-token-expiry',
  `insert into token_expiry (id, latest) values (1, :latest)
   on conflict (id) do update set latest = greatest(token_expiry.latest, excluded.latest)`,
);

export interface TokenExpiryOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** How long tokens live that this instance signs. */
  readonly longestToken_ms: number;
  readonly onError: (error: unknown) => void;
}

export interface TokenExpiry {
  /** Records the expiry of tokens that may be signed from now on, and keeps it ahead of them. */
  start(): Promise<void>;
  stop(): void;
  /** Resolves once it is recorded that a token expires then; no token is signed before. */
  cover(exp_s: number): Promise<void>;
}

export function createTokenExpiry(options: TokenExpiryOptions): TokenExpiry {
  const { database, clock, longestToken_ms, onError } = options;
  let recorded_ms = 0;
  let timer: NodeJS.Timeout | undefined;

  async function raise(expiry_ms: number): Promise<void> {
    const latest_ms = expiry_ms + AHEAD_MS;
    await execute(database, RAISE, { latest: new Date(latest_ms) });
    recorded_ms = Math.max(recorded_ms, latest_ms);
  }
  // Whatever was recorded before: a failover may have lost it.
  const keepAhead = (): Promise<void> => raise(clock.now().getTime() + longestToken_ms);

  return {
    async start() {
      await keepAhead();
      timer = setInterval(() => void keepAhead().catch(onError), RAISE_EVERY_MS).unref();
    },
    stop: () => clearInterval(timer),
    async cover(exp_s) {
      if (exp_s * 1000 > recorded_ms) await raise(exp_s * 1000);
    },
  };
}
