/** Length of the queue of the roll-up, as a Prometheus gauge. */
import type { Db } from '../db/index.ts';
import type { Metrics } from '../http/index.ts';

/** Joins, purchases and renames that are not in the referral tree yet. */
export async function countCommunityQueue(db: Db): Promise<Readonly<Record<string, number>>> {
  const { rows } = await db.query<{ kind: string; count: number }>(
    `select k.kind, count(e.id) as count
      from unnest(array['join', 'amount', 'rename']) k (kind)
        left join community_event e on e.kind = k.kind
      group by k.kind`,
  );
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
}

export function registerCommunityMetrics(metrics: Metrics, db: Db): void {
  metrics.gauge(
    'edge_account_community_queue',
    'Joins, purchases and renames that are not in the referral tree yet.',
    'kind',
    () => countCommunityQueue(db),
  );
}
