import type { Db } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';

/** How long each key that signs now has been in use, in seconds by algorithm. */
export async function measureKeyAges(db: Db, clock: Clock): Promise<Record<string, number>> {
  const { rows } = await db.query<{ alg: string; age_s: number }>(
    `select alg, extract(epoch from $1::timestamptz - activates_at)::float8 as age_s
     from signing_key where state = 'current'`,
    [clock.now()],
  );
  return Object.fromEntries(rows.map(({ alg, age_s }) => [alg, Math.max(0, age_s)]));
}
