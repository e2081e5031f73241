/** Deliveries that wait or are dead, and how old the oldest is that waits. */
import type { Db } from '../../db/index.ts';
import type { Metrics } from '../../http/index.ts';
import type { Clock } from '../../lib/clock.ts';

const COUNT_DELIVERIES = `select count(*) filter (where state = 'pending')::int as pending,
    count(*) filter (where state = 'dead')::int as dead
  from webhook_delivery where state <> 'delivered'`;
const OLDEST = `select coalesce(extract(epoch from $1::timestamptz - min(d.created_at)), 0)::float8
    as age_s
  from webhook_delivery d join webhook w on w.id = d.webhook_id
  where d.state = 'pending' and w.is_active`;

export function registerWebhookMetrics(metrics: Metrics, db: Db, clock: Clock): void {
  metrics.gauge(
    'edge_account_webhook_deliveries',
    'Deliveries that wait, and those that were given up (dead).',
    'state',
    async () => {
      const { rows } = await db.query<{ pending: number; dead: number }>(COUNT_DELIVERIES);
      return { ...rows[0] };
    },
  );
  metrics.gauge(
    'edge_account_webhook_oldest_seconds',
    'Age of the oldest delivery that an active webhook waits for.',
    'state',
    async () => {
      const { rows } = await db.query<{ age_s: number }>(OLDEST, [clock.now()]);
      return { pending: rows[0]?.age_s ?? 0 };
    },
  );
}
