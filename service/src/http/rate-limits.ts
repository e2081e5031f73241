/** Rate limits in the database, so that they hold across nodes. Fixed windows, one upsert each. */
import type { Db } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';

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

const INTO = 'insert into rate_limit (subject, window_start, hits)';
const UPSERT = 'on conflict (subject, window_start) do update set hits = rate_limit.hits + 1 returning hits';
const TAKE_ONE = `${INTO} values ($1, $2, 1) ${UPSERT}`;
/** The second counts only what the first lets pass: who is refused must not use up the counter of somebody else. */
const TAKE_TWO = `with first as (${INTO} values ($1, $2, 1) ${UPSERT}),
  second as (${INTO} select $3::text, $4::timestamptz, 1 from first where first.hits <= $5 ${UPSERT})
  select (select hits from first) as hits, (select hits from second) as second_hits`;
/** Rows are locked in the order given, as they were when the hits were taken: two requests never wait for each other. */
const GIVEN_BACK = `update rate_limit r set hits = r.hits - 1 from (
    select l.subject, l.window_start from unnest($1::text[], $2::timestamptz[]) with ordinality as t (subject, window_start, place)
    join rate_limit l on l.subject = t.subject and l.window_start = t.window_start where l.hits > 0 order by t.place for update of l) as held
  where r.subject = held.subject and r.window_start = held.window_start and r.hits > 0`;
const GIVE_BACK_AND_TAKE = `with given_back as (${GIVEN_BACK} returning 1) ${INTO} select $3::text, $4::timestamptz, 1 from (select count(*) from given_back) as done ${UPSERT}`;

function startOf({ window_s }: RateLimit, now_s: number): number {
  return now_s - (now_s % window_s);
}

const keyOf = ({ limit, subject }: Counter): string => `${limit.name}:${subject}`;
const windowOf = ({ limit }: Counter, now_s: number): Date => new Date(startOf(limit, now_s) * 1000);
const secondsOf = (clock: Clock): number => Math.floor(clock.now().getTime() / 1000);

function check(limit: RateLimit, hits: number, now_s: number): void {
  if (hits <= limit.hits) return;
  const reset_s = startOf(limit, now_s) + limit.window_s - now_s;
  throw failure('rate_limited', {
    detail: `Too many requests; try again in ${reset_s} s.`,
    retryAfter_s: reset_s,
    headers: { ratelimit: `"${limit.name}";r=0;t=${reset_s}`, 'ratelimit-policy': `"${limit.name}";q=${limit.hits};w=${limit.window_s}` },
  });
}

/**
 * Counts one hit of `subject` and refuses beyond the limit. Run it outside of the transaction that it protects: a
 * refusal must count even though everything else rolls back.
 * @throws `rate_limited` with Retry-After and RateLimit headers
 */
export async function takeHit(db: Db, clock: Clock, limit: RateLimit, subject: string): Promise<void> {
  const now_s = secondsOf(clock);
  const counter = { limit, subject };
  const { rows } = await db.prepared<{ hits: number }>('take-hit', TAKE_ONE, [keyOf(counter), windowOf(counter, now_s)]);
  check(limit, rows[0]?.hits ?? 1, now_s);
}

/** Counts one hit of two counters in one round trip; the second only when the first lets it pass. @throws `rate_limited` */
export async function takeTwoHits(db: Db, clock: Clock, first: Counter, second: Counter): Promise<void> {
  const now_s = secondsOf(clock);
  const values = [keyOf(first), windowOf(first, now_s), keyOf(second), windowOf(second, now_s), first.limit.hits];
  const { rows } = await db.prepared<{ hits: number; second_hits: number | null }>('take-two-hits', TAKE_TWO, values);
  check(first.limit, rows[0]?.hits ?? 1, now_s);
  check(second.limit, rows[0]?.second_hits ?? 1, now_s);
}

/**
 * Takes back one hit each, where only failures are to count: the attempt that was counted first has succeeded. `next`
 * is counted in the same round trip, for the step that follows. @throws `rate_limited`
 */
export async function giveBackHits(db: Db, clock: Clock, counters: readonly Counter[], next?: Counter): Promise<void> {
  const now_s = secondsOf(clock);
  const values = [counters.map(keyOf), counters.map((counter) => windowOf(counter, now_s))];
  if (!next) {
    await db.prepared('give-back-hits', GIVEN_BACK, values);
    return;
  }
  const { rows } = await db.prepared<{ hits: number }>('give-back-and-take', GIVE_BACK_AND_TAKE, [...values, keyOf(next), windowOf(next, now_s)]);
  check(next.limit, rows[0]?.hits ?? 1, now_s);
}

/** Removes counters of windows that ended a day ago; called by a job. */
export async function deleteOldCounters(db: Db, clock: Clock): Promise<void> {
  await db.query("delete from rate_limit where window_start < $1::timestamptz - interval '1 day'", [clock.now()]);
}
