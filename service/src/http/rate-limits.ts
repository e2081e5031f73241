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

const UPSERT = `insert into rate_limit (subject, window_start, hits) values ($1, $2, 1)
  on conflict (subject, window_start) do update set hits = rate_limit.hits + 1 returning hits`;

/**
 * Counts one hit of `subject` and refuses beyond the limit. Run it outside of the transaction that it protects: a
 * refusal must count even though everything else rolls back.
 * @throws `rate_limited` with Retry-After and RateLimit headers
 */
export async function takeHit(db: Db, clock: Clock, limit: RateLimit, subject: string): Promise<void> {
  const now_s = Math.floor(clock.now().getTime() / 1000);
  const start_s = now_s - (now_s % limit.window_s);
  const { rows } = await db.query<{ hits: number }>(UPSERT, [`${limit.name}:${subject}`, new Date(start_s * 1000)]);
  const hits = rows[0]?.hits ?? 1;
  if (hits <= limit.hits) return;
  const reset_s = start_s + limit.window_s - now_s;
  throw failure('rate_limited', {
    detail: `Too many requests; try again in ${reset_s} s.`,
    retryAfter_s: reset_s,
    headers: { ratelimit: `"${limit.name}";r=0;t=${reset_s}`, 'ratelimit-policy': `"${limit.name}";q=${limit.hits};w=${limit.window_s}` },
  });
}

/** Takes back one hit, where only failures are to count: the attempt that was counted first has succeeded. */
export async function giveBackHit(db: Db, clock: Clock, limit: RateLimit, subject: string): Promise<void> {
  const now_s = Math.floor(clock.now().getTime() / 1000);
  await db.query('update rate_limit set hits = hits - 1 where subject = $1 and window_start = $2 and hits > 0', [
    `${limit.name}:${subject}`,
    new Date((now_s - (now_s % limit.window_s)) * 1000),
  ]);
}

/** Removes counters of windows that ended a day ago; called by a job. */
export async function deleteOldCounters(db: Db, clock: Clock): Promise<void> {
  await db.query("delete from rate_limit where window_start < $1::timestamptz - interval '1 day'", [clock.now()]);
}
