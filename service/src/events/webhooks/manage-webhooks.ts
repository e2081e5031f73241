/** What operators do with webhooks. */
import { type Db, defineStatement, execute, queryNamed, transaction } from '../../db/index.ts';
import { type Outgoing, OutgoingError } from '../../http/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure, fieldError } from '../../lib/failures.ts';
import type { MasterKey } from '../../master-key.ts';
import { EVENT_TYPES, isKnownPattern } from '../event-types.ts';
import { readCounter } from '../read-events.ts';
import { findWebhook, type Webhook } from './queries.ts';
import { newWebhookSecret, sealSecret, showSecret } from './secrets.ts';

const WEBHOOKS_MAX = 50;
/** How long the old secret still signs beside the new one. */
const ROTATION_MS = 86_400_000;

const UPDATE_WEBHOOK = defineStatement(
  'webhook-update',
  `update webhook set url = coalesce(:url, url), description = coalesce(:description, description),
     event_types = coalesce(:event_types, event_types), is_active = coalesce(:is_active, is_active),
     disabled_reason_code = case when :is_active then null else disabled_reason_code end,
     disabled_reason_values = case when :is_active then null else disabled_reason_values end
   where id = :id and removed_at is null`,
);
const INSERT_TEST = defineStatement(
  'webhook-insert-test',
  `insert into webhook_delivery (webhook_id, type, body, state, next_attempt_at, created_at)
   values (:id, 'webhook.test', :body, 'pending', :now, :now) returning id`,
);
const QUEUE_AGAIN = `update webhook_delivery
  set state = 'pending', attempts_before = attempts, next_attempt_at = :now
  where webhook_id = :id and exists (select from webhook where id = :id and removed_at is null)`;
const REDELIVER = defineStatement('webhook-redeliver', `${QUEUE_AGAIN} and id = :delivery_id`);
const REDELIVER_DEAD = defineStatement(
  'webhook-redeliver-dead',
  `${QUEUE_AGAIN} and state = 'dead' and created_at >= :since`,
);

export interface WebhookDeps {
  readonly clock: Clock;
  readonly masterKey: MasterKey;
  readonly outgoing: Outgoing;
}

export interface WebhookFields {
  readonly url: string;
  readonly description: string;
  readonly eventTypes: readonly string[];
}

export interface WebhookWithSecret {
  readonly webhook: Webhook;
  /** `whsec_…`; shown only now. */
  readonly secret: string;
}

function checkUrl(outgoing: Outgoing, url: string): void {
  try {
    outgoing.checkUrl(url);
  } catch (error) {
    if (error instanceof OutgoingError) throw fieldError('url', error.problem, error.message);
    throw error;
  }
}

/** A webhook for an unknown type would never receive an event. */
function checkEventTypes(eventTypes: readonly string[]): void {
  const index = eventTypes.findIndex((pattern) => !isKnownPattern(pattern));
  if (index >= 0)
    throw fieldError(
      `event_types.${index}`,
      'unknown',
      `is none of: ${EVENT_TYPES.join(', ')}, nor a kind of them such as deposit.*`,
    );
}

async function existing(db: Db, id: number): Promise<Webhook> {
  const webhook = await findWebhook(db, id);
  if (!webhook) throw failure('not_found');
  return webhook;
}

/** Makes a webhook; it receives what happens from now on. */
export async function createWebhook(
  db: Db,
  deps: WebhookDeps,
  fields: WebhookFields,
  createdBy: string,
): Promise<WebhookWithSecret> {
  checkUrl(deps.outgoing, fields.url);
  checkEventTypes(fields.eventTypes);
  const secret = newWebhookSecret();
  return transaction(db, async (tx) => {
    // Serializes creations, so that the limit holds.
    await tx.query('lock table webhook in share row exclusive mode');
    const { rows: counts } = await tx.query<{ n: number }>(
      'select count(*) as n from webhook where removed_at is null',
    );
    if ((counts[0]?.n ?? 0) >= WEBHOOKS_MAX)
      throw failure('webhook_limit', { detail: `There may be ${WEBHOOKS_MAX} webhooks.` });
    const { lastPosition } = await readCounter(tx);
    const { rows } = await queryNamed<{ id: number }>(
      tx,
      `insert into webhook (url, description, event_types, secret, position, created_by, created_at)
        values (:url, :description, :event_types, :secret, :last_position, :created_by, :now)
        returning id`,
      {
        url: fields.url,
        description: fields.description,
        event_types: fields.eventTypes,
        secret: sealSecret(deps.masterKey, secret),
        last_position: lastPosition,
        created_by: createdBy,
        now: deps.clock.now(),
      },
    );
    return { webhook: await existing(tx, rows[0]?.id ?? 0), secret: showSecret(secret) };
  });
}

/**
 * Changes what is given; switching a webhook on again sends what it missed, as far as events are
 * kept.
 */
export async function updateWebhook(
  db: Db,
  deps: WebhookDeps,
  id: number,
  change: Partial<WebhookFields> & { isActive?: boolean | undefined },
): Promise<Webhook> {
  if (change.url !== undefined) checkUrl(deps.outgoing, change.url);
  if (change.eventTypes) checkEventTypes(change.eventTypes);
  return transaction(db, async (tx) => {
    await execute(tx, UPDATE_WEBHOOK, {
      id,
      url: change.url ?? null,
      description: change.description ?? null,
      event_types: change.eventTypes ?? null,
      is_active: change.isActive ?? null,
    });
    return existing(tx, id);
  });
}

/**
 * Deletes a webhook: from now on nothing is sent to it, and no route shows it. A job deletes its
 * messages, and then its row (remove-webhooks.ts).
 */
export async function deleteWebhook(db: Db, clock: Clock, id: number): Promise<void> {
  const { rowCount } = await queryNamed(
    db,
    `update webhook set is_active = false, removed_at = :now
      where id = :webhook_id and removed_at is null`,
    { webhook_id: id, now: clock.now() },
  );
  if (rowCount === 0) throw failure('not_found');
}

/** Makes a new secret; for a day messages carry the signatures of both. */
export async function rotateWebhookSecret(
  db: Db,
  { clock, masterKey }: WebhookDeps,
  id: number,
): Promise<WebhookWithSecret> {
  const secret = newWebhookSecret();
  return transaction(db, async (tx) => {
    await queryNamed(
      tx,
      `update webhook set previous_secret = secret, previous_until = :previous_until,
          secret = :secret
        where id = :id and removed_at is null`,
      {
        id,
        previous_until: new Date(clock.now().getTime() + ROTATION_MS),
        secret: sealSecret(masterKey, secret),
      },
    );
    return { webhook: await existing(tx, id), secret: showSecret(secret) };
  });
}

/** Queues a message of type `webhook.test`. */
export async function sendTestMessage(db: Db, clock: Clock, id: number): Promise<number> {
  return transaction(db, async (tx) => {
    await existing(tx, id);
    const now = clock.now();
    const body = JSON.stringify({
      type: 'webhook.test',
      timestamp: now.toISOString(),
      data: { webhook_id: id },
    });
    const { rows } = await execute<{ id: number }>(tx, INSERT_TEST, { id, body, now });
    return rows[0]?.id ?? 0;
  });
}

/**
 * Sends one message again, whatever became of it; its id stays, so that a receiver knows it. Its
 * tries begin anew, and the old ones stay counted.
 */
export async function redeliver(
  db: Db,
  clock: Clock,
  id: number,
  deliveryId: number,
): Promise<void> {
  const values = { id, delivery_id: deliveryId, now: clock.now() };
  const { rowCount } = await execute(db, REDELIVER, values);
  if (rowCount === 0) throw failure('not_found');
}

/** Sends all dead letters since an instant again. @returns how many */
export async function redeliverDead(
  db: Db,
  clock: Clock,
  id: number,
  since: Date,
): Promise<number> {
  await existing(db, id);
  const { rowCount } = await execute(db, REDELIVER_DEAD, { id, since, now: clock.now() });
  return rowCount;
}
