/**
 * Rate limits of signing in. Each counts on its own; an attempt is counted before it is made, so that parallel ones
 * cannot slip through, and given back when it succeeds. Tickets and email codes carry further counters of their own.
 */
import type { Database, Db } from '../db/index.ts';
import { type Counter, giveBackHits, takeHit, takeTwoHits } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { networkOf } from '../lib/rate-limit-subnet.ts';

const MINUTE_S = 60;
const HOUR_S = 3600;

const LIMITS = {
  /** Wrong passwords from one address. */
  'login-ip': { hits: 100, window_s: MINUTE_S },
  /** Wrong passwords for one account, from addresses that its owner has not signed in from (see `accountSubject`). */
  'login-account': { hits: 20, window_s: 15 * MINUTE_S },
  /** Wrong second factors from one address. */
  'factor-ip': { hits: 100, window_s: MINUTE_S },
  /** Wrong second factors for one account over all its tickets: 500 guesses take a day, not four seconds. */
  'factor-account': { hits: 20, window_s: HOUR_S },
  /** Codes mailed to one person who knows the password. */
  'mail-account': { hits: 120, window_s: HOUR_S },
  /** Registrations and resets begun from one address and not finished. */
  'begin-ip': { hits: 200, window_s: HOUR_S },
  /** Mails to one address that strangers can cause from one network, and from everywhere. */
  'mail-address': { hits: 20, window_s: HOUR_S },
  'mail-total': { hits: 100, window_s: HOUR_S },
  /** Wrong codes of registrations and resets from one address. */
  'code-ip': { hits: 100, window_s: MINUTE_S },
  /** Wrong codes of resets for one account. */
  'reset-account': { hits: 20, window_s: HOUR_S },
} as const;

export type LimitName = keyof typeof LIMITS;

/** A limit, and whose counter of it. */
export type Hit = readonly [name: LimitName, subject: string];

export interface Limits {
  /**
   * Counts one attempt on up to two counters, on the second only when the first lets it pass. Never inside of a
   * transaction: a refusal must count although everything else rolls back.
   */
  take(first: Hit, second?: Hit): Promise<void>;
  /** The attempt succeeded: it does not count. */
  giveBack(hits: readonly Hit[]): Promise<void>;
  /** The counter of a hit, for statements that count beside their work. */
  counterOf(hit: Hit): Counter;
}

export function createLimits(database: Database, clock: Clock, scale: number): Limits {
  const counterOf = ([name, subject]: Hit): Counter => ({
    limit: { name, window_s: LIMITS[name].window_s, hits: LIMITS[name].hits * scale },
    subject,
  });
  return {
    take(first, second) {
      const { limit, subject } = counterOf(first);
      return second
        ? takeTwoHits(database, clock, { limit, subject }, counterOf(second))
        : takeHit(database, clock, limit, subject);
    },
    giveBack: (hits) => giveBackHits(database, clock, hits.map(counterOf)),
    counterOf,
  };
}

/** Counts a mail that a stranger causes: per network first, so that nobody keeps the owner from registering or resetting. */
export async function takeMailHits(limits: Limits, emailKey: string, ip: string): Promise<void> {
  await limits.take(['mail-address', `${emailKey} ${networkOf(ip)}`], ['mail-total', emailKey]);
}

const KNOWN_DAYS = 90;

/** True when the owner has signed in from there lately. As SQL: `u` is the person, `$2` the address, `$3` since when. */
export const IS_KNOWN_ADDRESS = `exists (select 1 from security_event e where e.user_id = u.id and e.ip = $2 and e.type = 'signed_in' and e.created_at > $3)`;

/** Since when a sign-in makes an address known. */
export function knownSince(clock: Clock): Date {
  return new Date(clock.now().getTime() - KNOWN_DAYS * 86_400_000);
}

/**
 * Whose counter an attempt goes on. Where the owner has signed in from lately has a counter of its own: else anybody
 * could lock the owner out by guessing from elsewhere.
 */
export function subjectOf(emailKey: string, ip: string, isKnown: boolean): string {
  return isKnown ? `${emailKey} ${networkOf(ip)}` : emailKey;
}

/** The same, looked up. */
export async function accountSubject(
  db: Db,
  clock: Clock,
  emailKey: string,
  ip: string,
): Promise<string> {
  const { rowCount } = await db.prepared(
    'account-subject',
    `select 1 from app_user u where u.email_key = $1 and ${IS_KNOWN_ADDRESS}`,
    [emailKey, ip, knownSince(clock)],
  );
  return subjectOf(emailKey, ip, rowCount > 0);
}
