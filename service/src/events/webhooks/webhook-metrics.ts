/** Deliveries that wait or are dead, and how old the oldest is that waits. */
import type { Db } from '../../db/index.ts';
import type { Metrics } from '../../http/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { COUNTED_MAX } from '../../lib/counted-max.ts';

// For each webhook and state the index of deliveries that are not done is read, up to the limit.
const count = (state: 'pending' | 'dead'): string =>
  `(select count(*)::int from (select from webhook w
      cross join lateral (select from webhook_delivery d
        where d.webhook_id = w.id and d.state = '${state}' and d.state <> 'delivered' limit $1) one
      where w.removed_at is null limit $1) counted)`;
const COUNT_DELIVERIES = `select ${count('pending')} as pending, ${count('dead')} as dead`;
const OLDEST = `select
    coalesce(extract(epoch from $1::timestamptz - min(first.created_at)), 0)::float8 as age_s
  from webhook w cross join lateral (select created_at from webhook_delivery
    where webhook_id = w.id and state = 'pending' and state <> 'delivered'
    order by id limit 1) first
  where w.is_active`;

type Counts = Readonly<Record<'pending' | 'dead', number>>;

/** Deliveries that wait, and those that were given up: up to `max` of each. */
export async function countDeliveries(db: Db, max = COUNTED_MAX): Promise<Counts> {
  const { rows } = await db.query<Counts>(COUNT_DELIVERIES, [max]);
  return rows[0] ?? { pending: 0, dead: 0 };
}

/** Age in seconds of the oldest delivery that an active webhook waits for. */
export async function measureOldestDelivery(db: Db, clock: Clock): Promise<number> {
  const { rows } = await db.query<{ age_s: number }>(OLDEST, [clock.now()]);
  return rows[0]?.age_s ?? 0;
}

export function registerWebhookMetrics(metrics: Metrics, db: Db, clock: Clock): void {
  metrics.gauge(
    'edge_account_webhook_deliveries',
    'Deliveries that wait, and those that were given up (dead), each up to 10,000.',
    'state',
    () => countDeliveries(db),
  );
  metrics.gauge(
    'edge_account_webhook_oldest_seconds',
    'Age of the oldest delivery that an active webhook waits for.',
    'state',
    async () => ({ pending: await measureOldestDelivery(db, clock) }),
  );
}
