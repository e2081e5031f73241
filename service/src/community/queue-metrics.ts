/** Length of the queue of the roll-up, as a Prometheus gauge. */
import type { Db } from '../db/index.ts';
import type { Metrics } from '../http/index.ts';
import { COUNTED_MAX } from '../lib/counted-max.ts';

/** Twice what others are counted to: the alert fires above 10,000 (EdgeAccountCommunityQueue). */
const QUEUED_MAX = 2 * COUNTED_MAX;

/** Joins, purchases and renames that are not in the referral tree yet: the oldest `max` of all. */
export async function countCommunityQueue(
  db: Db,
  max = QUEUED_MAX,
): Promise<Readonly<Record<string, number>>> {
  const { rows } = await db.query<{ kind: string; count: number }>(
    `select k.kind, count(e.kind) as count
      from unnest(array['join', 'amount', 'rename']) k (kind)
        left join (select kind from community_event order by id limit $1) e on e.kind = k.kind
      group by k.kind`,
    [max],
  );
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
}

export function registerCommunityMetrics(metrics: Metrics, db: Db): void {
  metrics.gauge(
    'edge_account_community_queue',
    'Joins, purchases and renames that wait for the referral tree, together up to 20,000.',
    'kind',
    () => countCommunityQueue(db),
  );
}
