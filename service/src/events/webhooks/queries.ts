/** Reads of webhooks and their deliveries. */
import { type Db, LISTED_MAX, listKeys, queryNamed } from '../../db/index.ts';
import type { CodedMessage } from '../../lib/coded-messages.ts';

export interface Webhook {
  readonly id: number;
  readonly url: string;
  readonly description: string;
  readonly eventTypes: string[];
  readonly isActive: boolean;
  readonly disabledReason: CodedMessage | null;
  readonly createdAt: Date;
  readonly pending: number;
  readonly dead: number;
}

/** The message in the two columns that begin with `name`. */
const messageOf = (name: string): string =>
  `case when ${name}_code is not null
    then jsonb_build_object('code', ${name}_code, 'values', ${name}_values) end`;

/** Counted up to the limit of every list. */
const countOf = (state: string): string =>
  `(select count(*) from (
    select from webhook_delivery d where d.webhook_id = w.id and d.state = '${state}'
    order by d.id desc limit ${LISTED_MAX}) c)`;

const WEBHOOK = `select w.id, w.url, w.description, w.event_types as "eventTypes",
    w.is_active as "isActive", ${messageOf('w.disabled_reason')} as "disabledReason",
    w.created_at as "createdAt",
    ${countOf('pending')} as pending, ${countOf('dead')} as dead
  from webhook w where w.removed_at is null`;

export async function listWebhooks(db: Db): Promise<Webhook[]> {
  return (await db.query<Webhook>(`${WEBHOOK} order by w.id`)).rows;
}

export async function findWebhook(db: Db, id: number): Promise<Webhook | undefined> {
  return (await db.query<Webhook>(`${WEBHOOK} and w.id = $1`, [id])).rows[0];
}

export const DELIVERY_STATES = ['pending', 'delivered', 'dead'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface Delivery {
  readonly id: number;
  readonly type: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly lastStatus: number | null;
  readonly lastError: CodedMessage | null;
  readonly nextAttemptAt: Date;
  readonly deliveredAt: Date | null;
  readonly createdAt: Date;
}

const DELIVERY = `id, type, state, attempts, last_status as "lastStatus",
  ${messageOf('last_error')} as "lastError",
  next_attempt_at as "nextAttemptAt", delivered_at as "deliveredAt", created_at as "createdAt"`;

export interface DeliveryFilter {
  readonly webhookId: number;
  readonly state?: DeliveryState | undefined;
  readonly current: number;
  readonly size: number;
}

/** Newest first. The total is that of `listKeys`. */
export async function listDeliveries(
  db: Db,
  { webhookId, state, ...page }: DeliveryFilter,
): Promise<{ records: Delivery[]; total: number }> {
  // The state as a word, not as a parameter: only then does the index of what is not done serve.
  const where = `webhook_id = :webhook_id${state === undefined ? '' : ` and state = '${state}'`}`;
  const { keys, total } = await listKeys(
    db,
    `select id as key from webhook_delivery where ${where} order by id desc`,
    { webhook_id: webhookId },
    page,
  );
  const { rows } = await db.query<Delivery>(
    `select ${DELIVERY} from webhook_delivery where id = any($1::bigint[]) order by id desc`,
    [keys],
  );
  return { records: rows, total };
}

interface DeliveryWithBody extends Delivery {
  readonly body: string;
}

/** One message of a webhook with what is posted. */
export async function findDelivery(
  db: Db,
  webhookId: number,
  id: number,
): Promise<DeliveryWithBody | undefined> {
  const { rows } = await queryNamed<DeliveryWithBody>(
    db,
    `select ${DELIVERY}, body from webhook_delivery where webhook_id = :webhook and id = :id
      and exists (select from webhook where id = :webhook and removed_at is null)`,
    { webhook: webhookId, id },
  );
  return rows[0];
}
