/** Reads of webhooks and their deliveries. */
import type { Db } from '../../db/index.ts';

export interface Webhook {
  readonly id: number;
  readonly url: string;
  readonly description: string;
  readonly eventTypes: string[];
  readonly isActive: boolean;
  readonly disabledReason: string | null;
  readonly createdAt: Date;
  readonly pending: number;
  readonly dead: number;
}

const WEBHOOK = `select w.id, w.url, w.description, w.event_types as "eventTypes", w.is_active as "isActive", w.disabled_reason as "disabledReason",
    w.created_at as "createdAt",
    (select count(*) from webhook_delivery d where d.webhook_id = w.id and d.state = 'pending') as pending,
    (select count(*) from webhook_delivery d where d.webhook_id = w.id and d.state = 'dead') as dead
  from webhook w`;

export async function listWebhooks(db: Db): Promise<Webhook[]> {
  return (await db.query<Webhook>(`${WEBHOOK} order by w.id`)).rows;
}

export async function findWebhook(db: Db, id: number): Promise<Webhook | undefined> {
  return (await db.query<Webhook>(`${WEBHOOK} where w.id = $1`, [id])).rows[0];
}

export const DELIVERY_STATES = ['pending', 'delivered', 'dead'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface Delivery {
  readonly id: number;
  readonly type: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly nextAttemptAt: Date;
  readonly deliveredAt: Date | null;
  readonly createdAt: Date;
}

const DELIVERY = `id, type, state, attempts, last_status as "lastStatus", last_error as "lastError",
  next_attempt_at as "nextAttemptAt", delivered_at as "deliveredAt", created_at as "createdAt"`;

export interface DeliveryFilter {
  readonly webhookId: number;
  readonly state?: DeliveryState | undefined;
  readonly current: number;
  readonly size: number;
}

/** Newest first. */
export async function listDeliveries(db: Db, { webhookId, state, current, size }: DeliveryFilter): Promise<{ records: Delivery[]; total: number }> {
  const where = 'webhook_id = $1 and ($2::text is null or state = $2)';
  const { rows: counts } = await db.query<{ n: number }>(`select count(*) as n from webhook_delivery where ${where}`, [webhookId, state ?? null]);
  const { rows } = await db.query<Delivery>(`select ${DELIVERY} from webhook_delivery where ${where} order by id desc limit $3 offset $4`, [
    webhookId,
    state ?? null,
    size,
    (current - 1) * size,
  ]);
  return { records: rows, total: counts[0]?.n ?? 0 };
}
