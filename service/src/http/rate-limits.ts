/**
 * Rate limits in the database, so that they hold across instances. Fixed windows, one upsert each
 * (`rate_limit_consume` in SQL).
 */
import { type Db, defineStatement, execute, type RetentionRule } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { type Failure, type FailureCode, failure } from '../lib/failures.ts';

export interface RateLimit {
  /** For example `login-account`; limits of different names have separate counters. */
  readonly name: string;
  readonly hits: number;
  readonly window_s: number;
}

/** The counter of a limit for one subject: an address, an account. */
export interface Counter {
  readonly limit: RateLimit;
  readonly subject: string;
}

const CONSUME_HITS = defineStatement(
  'rate-limit-consume',
  'select rate_limit_consume(:subject, :window_start) as hits',
);
/** A caller that the first limit refuses must not use up the second, which may be another's. */
const CONSUME_TWO = defineStatement(
  'rate-limit-consume-two',
  `with first as materialized (select rate_limit_consume(:subject, :window_start) as hits)
   select first.hits, case when first.hits <= :hits_max
     then rate_limit_consume(:second_subject, :second_window_start) end as second_hits
   from first`,
);
const REFUND = defineStatement(
  'rate-limit-refund',
  'select rate_limit_refund(:subjects, :window_starts)',
);

function findWindowStart({ window_s }: RateLimit, now_s: number): number {
  return now_s - (now_s % window_s);
}

const toSeconds = (clock: Clock): number => Math.floor(clock.now().getTime() / 1000);

/** The row of a counter in its current window, for `rate_limit_consume` and `rate_limit_refund`. */
export function toCounterRow(
  clock: Clock,
  { limit, subject }: Counter,
): { readonly subject: string; readonly window_start: Date } {
  const window_start = new Date(findWindowStart(limit, toSeconds(clock)) * 1000);
  return { subject: `${limit.name}:${subject}`, window_start };
}

/** The quota that is used up: of a window, or of concurrent uses. */
export interface Quota {
  readonly name: string;
  readonly hits: number;
  readonly window_s?: number;
}

/** An error with Retry-After and RateLimit headers. */
export function rateLimitError(
  { name, hits, window_s }: Quota,
  retryAfter_s: number,
  detail: string,
  code: FailureCode = 'rate_limited',
): Failure {
  const policy =
    window_s === undefined ? `"${name}";q=${hits}` : `"${name}";q=${hits};w=${window_s}`;
  return failure(code, {
    detail,
    retryAfter_s,
    headers: { ratelimit: `"${name}";r=0;t=${retryAfter_s}`, 'ratelimit-policy': policy },
  });
}

/** @throws `rate_limited` with Retry-After and RateLimit headers when `hits` exceed the limit */
export function assertWithinRateLimit(clock: Clock, limit: RateLimit, hits: number): void {
  if (hits <= limit.hits) return;
  const now_s = toSeconds(clock);
  const reset_s = findWindowStart(limit, now_s) + limit.window_s - now_s;
  throw rateLimitError(limit, reset_s, `Too many requests; try again in ${reset_s} s.`);
}

/**
 * Counts one hit of `subject`. Run it outside of the protected transaction: a hit must count even
 * if the transaction rolls back.
 * @throws `rate_limited` with Retry-After and RateLimit headers
 */
export async function consumeRateLimit(
  db: Db,
  clock: Clock,
  limit: RateLimit,
  subject: string,
): Promise<void> {
  const row = toCounterRow(clock, { limit, subject });
  const { rows } = await execute<{ hits: number }>(db, CONSUME_HITS, { ...row });
  assertWithinRateLimit(clock, limit, rows[0]?.hits ?? 1);
}

/**
 * Counts one hit of two counters in one round trip; the second only within the first limit.
 * @throws `rate_limited`
 */
export async function consumeTwoRateLimits(
  db: Db,
  clock: Clock,
  first: Counter,
  second: Counter,
): Promise<void> {
  const secondRow = toCounterRow(clock, second);
  const { rows } = await execute<{ hits: number; second_hits: number | null }>(db, CONSUME_TWO, {
    ...toCounterRow(clock, first),
    hits_max: first.limit.hits,
    second_subject: secondRow.subject,
    second_window_start: secondRow.window_start,
  });
  assertWithinRateLimit(clock, first.limit, rows[0]?.hits ?? 1);
  assertWithinRateLimit(clock, second.limit, rows[0]?.second_hits ?? 1);
}

/** Takes back one hit of each counter, after a success where only failures count. */
export async function refundRateLimit(
  db: Db,
  clock: Clock,
  counters: readonly Counter[],
): Promise<void> {
  const rows = counters.map((counter) => toCounterRow(clock, counter));
  await execute(db, REFUND, {
    subjects: rows.map(({ subject }) => subject),
    window_starts: rows.map(({ window_start }) => window_start),
  });
}

/** Counters of windows that began a day ago are not read again. */
export const RATE_LIMIT_RETENTION: RetentionRule = {
  table: 'rate_limit',
  reason: 'Counts attempts by address and account, against guessing.',
  since: 'window_start',
  kept_s: 86_400,
  rowsPerDay: 8_000_000,
};
