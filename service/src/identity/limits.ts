/**
 * Rate limits of sign-in. An attempt is counted before it is made, so that parallel attempts cannot
 * exceed the limit, and refunded when it succeeds. Tickets count their attempts themselves.
 */
import type { Database } from '../db/index.ts';
import {
  type Counter,
  consumeRateLimit,
  consumeTwoRateLimits,
  refundRateLimit,
} from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { toSubnet } from '../lib/rate-limit-subnet.ts';

const MINUTE_S = 60;
const HOUR_S = 3600;

const LIMITS = {
  /** Wrong passwords from one address. */
  'login-ip': { hits: 100, window_s: MINUTE_S },
  /** Wrong passwords for one account; addresses known to the account have separate counters. */
  'login-account': { hits: 20, window_s: 15 * MINUTE_S },
  /** Sign-ins at upstream providers that one address starts; none is refunded. */
  'upstream-ip': { hits: 100, window_s: MINUTE_S },
  /** Wrong second factors from one address. */
  'factor-ip': { hits: 100, window_s: MINUTE_S },
  /** Wrong second factors for one account over all its tickets: 500 guesses take a day. */
  'factor-account': { hits: 20, window_s: HOUR_S },
  /** Codes mailed to a user after the right password. */
  'mail-account': { hits: 120, window_s: HOUR_S },
  /** Unfinished registrations and resets from one address. */
  'begin-ip': { hits: 200, window_s: HOUR_S },
  /** Mails to one email address that callers without its password cause from one subnet. */
  'mail-address': { hits: 20, window_s: HOUR_S },
  /** The same from all subnets. */
  'mail-total': { hits: 100, window_s: HOUR_S },
  /** Unknown referral codes that one address asks about. */
  'invitation-ip': { hits: 60, window_s: MINUTE_S },
  /** Wrong codes of registrations and resets from one address. */
  'code-ip': { hits: 100, window_s: MINUTE_S },
  /** Wrong codes of resets for one account. */
  'reset-account': { hits: 20, window_s: HOUR_S },
} as const;

/** A limit, and the subject whose counter is meant. */
export type RateLimitKey = readonly [name: keyof typeof LIMITS, subject: string];

export interface Limits {
  /**
   * Counts an attempt on one counter or two, on the second only within the first limit. Never in a
   * transaction: a refused attempt counts although everything else rolls back.
   * @throws `rate_limited`
   */
  consume(first: RateLimitKey, second?: RateLimitKey): Promise<void>;
  /** Takes back the hits of an attempt that succeeded. */
  refund(keys: readonly RateLimitKey[]): Promise<void>;
  /** The counter of a key, for statements that count themselves. */
  counterOf(key: RateLimitKey): Counter;
}

export function createLimits(database: Database, clock: Clock, scale: number): Limits {
  const counterOf = ([name, subject]: RateLimitKey): Counter => ({
    limit: { name, window_s: LIMITS[name].window_s, hits: LIMITS[name].hits * scale },
    subject,
  });
  return {
    consume(first, second) {
      const { limit, subject } = counterOf(first);
      return second
        ? consumeTwoRateLimits(database, clock, { limit, subject }, counterOf(second))
        : consumeRateLimit(database, clock, limit, subject);
    },
    refund: (keys) => refundRateLimit(database, clock, keys.map(counterOf)),
    counterOf,
  };
}

/**
 * Counts a mail that a caller without a password causes: per subnet first, so that one caller
 * cannot use up the total and keep the owner from registering or resetting.
 */
export async function consumeMailLimits(
  limits: Limits,
  emailKey: string,
  ip: string,
): Promise<void> {
  await limits.consume(['mail-address', `${emailKey} ${toSubnet(ip)}`], ['mail-total', emailKey]);
}

const KNOWN_DAYS = 90;

const signedInFrom = (address: string): string => `exists (select 1 from security_event e
       where e.user_id = u.id and ${address} and e.type in ('signed_in', 'registered')
         and e.created_at > :known_since)`;

/**
 * True when user `u` has registered or signed in from `:ip` after `:known_since`. Rows of earlier
 * versions have the address itself.
 */
export const IS_KNOWN_ADDRESS = `(${signedInFrom(
  "e.address_hash = sha256(convert_to(:ip_hash || '/' || u.id, 'UTF8'))",
)} or ${signedInFrom('e.ip = :ip')})`;

/** Since when a sign-in makes an address known. */
export function knownSince(clock: Clock): Date {
  return new Date(clock.now().getTime() - KNOWN_DAYS * 86_400_000);
}

/**
 * The subject of an account's counter. A known address has a counter of its own; otherwise wrong
 * attempts from elsewhere could lock the owner out.
 */
export function subjectOf(emailKey: string, ip: string, isKnown: boolean): string {
  return isKnown ? `${emailKey} ${toSubnet(ip)}` : emailKey;
}
