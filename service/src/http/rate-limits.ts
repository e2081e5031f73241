/** Rate limits in the database, so that they hold across nodes. Fixed windows, one upsert each (`take_hit` in SQL). */
import type { Db } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { type Failure, type FailureCode, failure } from '../lib/failures.ts';

export interface RateLimit {
  /** What is limited, for example `login-account`. Counters of different names never touch. */
  readonly name: string;
  readonly hits: number;
  readonly window_s: number;
}

/** One counter: what is limited, and whose it is. */
export interface Counter {
  readonly limit: RateLimit;
  readonly subject: string;
}

const TAKE_ONE = 'select rate_limit_consume($1, $2) as hits';
/** The second counts only what the first lets pass: who is refused must not use up the counter of somebody else. */
const TAKE_TWO = `with first as materialized (select rate_limit_consume($1, $2) as hits)
  select first.hits, case when first.hits <= $5 then rate_limit_consume($3, $4) end as second_hits from first`;

function startOf({ window_s }: RateLimit, now_s: number): number {
  return now_s - (now_s % window_s);
}

const keyOf = ({ limit, subject }: Counter): string => `${limit.name}:${subject}`;
const windowOf = ({ limit }: Counter, now_s: number): Date =>
  new Date(startOf(limit, now_s) * 1000);
const secondsOf = (clock: Clock): number => Math.floor(clock.now().getTime() / 1000);

/** A counter's row now, for statements that count beside their work with `take_hit` and `give_back_hits`. */
export function rowOf(clock: Clock, counter: Counter): [subject: string, window: Date] {
  return [keyOf(counter), windowOf(counter, secondsOf(clock))];
}

/** What is at its end: a quota of a window, or of so many at once. */
export interface Quota {
  readonly name: string;
  readonly hits: number;
  readonly window_s?: number;
}

/** A refusal with Retry-After and RateLimit headers. */
export function limited(
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

/** @throws `rate_limited` with Retry-After and RateLimit headers when so many hits are more than the limit allows */
export function assertWithinRateLimit(clock: Clock, limit: RateLimit, hits: number): void {
  if (hits <= limit.hits) return;
  const now_s = secondsOf(clock);
  const reset_s = startOf(limit, now_s) + limit.window_s - now_s;
  throw limited(limit, reset_s, `Too many requests; try again in ${reset_s} s.`);
}

/**
 * Counts one hit of `subject` and refuses beyond the limit. Run it outside of the transaction that it protects: a
 * refusal must count even though everything else rolls back.
 * @throws `rate_limited` with Retry-After and RateLimit headers
 */
export async function consumeRateLimit(
  db: Db,
  clock: Clock,
  limit: RateLimit,
  subject: string,
): Promise<void> {
  const { rows } = await db.prepared<{ hits: number }>(
    'take-hit',
    TAKE_ONE,
    rowOf(clock, { limit, subject }),
  );
  assertWithinRateLimit(clock, limit, rows[0]?.hits ?? 1);
}

/** Counts one hit of two counters in one round trip; the second only when the first lets it pass. @throws `rate_limited` */
export async function consumeTwoRateLimits(
  db: Db,
  clock: Clock,
  first: Counter,
  second: Counter,
): Promise<void> {
  const values = [...rowOf(clock, first), ...rowOf(clock, second), first.limit.hits];
  const { rows } = await db.prepared<{ hits: number; second_hits: number | null }>(
    'take-two-hits',
    TAKE_TWO,
    values,
  );
  assertWithinRateLimit(clock, first.limit, rows[0]?.hits ?? 1);
  assertWithinRateLimit(clock, second.limit, rows[0]?.second_hits ?? 1);
}

/** Takes back one hit each, where only failures are to count: the attempt that was counted first has succeeded. */
export async function refundRateLimit(
  db: Db,
  clock: Clock,
  counters: readonly Counter[],
): Promise<void> {
  const rows = counters.map((counter) => rowOf(clock, counter));
  await db.prepared('give-back-hits', 'select rate_limit_refund($1, $2)', [
    rows.map(([subject]) => subject),
    rows.map(([, window]) => window),
  ]);
}

/** Removes counters of windows that ended a day ago; called by a job. */
export async function deleteOldCounters(db: Db, clock: Clock): Promise<void> {
  await db.query("delete from rate_limit where window_start < $1::timestamptz - interval '1 day'", [
    clock.now(),
  ]);
}
