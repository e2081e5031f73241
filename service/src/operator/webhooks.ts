/** `/operator/webhooks`: where events are sent, and what became of each message. */
import Type from 'typebox';
import type { Db } from '../db/index.ts';
import {
  createWebhook,
  DELIVERY_ERRORS,
  DELIVERY_STATES,
  type Delivery,
  deleteWebhook,
  findWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  redeliverDead,
  rotateWebhookSecret,
  sendTestMessage,
  updateWebhook,
  type Webhook,
  type WebhookDeps,
} from '../events/index.ts';
import {
  besideSentence,
  CappedPage,
  callerOf,
  type HttpServer,
  PageParameters,
  SayingCode,
  SayingValues,
  Timestamp,
  toCappedPage,
  Words,
} from '../http/index.ts';
import { failure } from '../lib/failures.ts';

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description:
    'https address that messages are posted to. Redirects are not followed; no fragment, no user name.',
});
const EventTypes = Type.Array(
  Type.String({
    pattern: '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*\\.([a-z][a-z0-9_]*|\\*)$',
    maxLength: 64,
  }),
  {
    maxItems: 50,
    description:
      'Types to send, for example `deposit.credited`, or `deposit.*` for all of a kind. A name that no event has is refused. Empty: all.',
  },
);
const Description = Type.String({ maxLength: 200, description: 'For people.' });

const WebhookVO = Type.Object({
  id: Type.Integer({ description: 'Id of the webhook.' }),
  url: Url,
  description: Description,
  event_types: EventTypes,
  active: Type.Boolean({
    description:
      'False: nothing is sent; what happens meanwhile is sent when it is switched on, as far as events are kept.',
  }),
  disabled_reason: Type.Optional(Type.String({ description: 'Why the service switched it off.' })),
  disabled_reason_code: SayingCode('disabled_reason', ['answered']),
  disabled_reason_values: SayingValues('disabled_reason'),
  pending: Type.Integer({ description: 'Messages that wait for their next attempt.' }),
  dead: Type.Integer({ description: 'Messages given up; they can be redelivered for 30 days.' }),
  created_at: Timestamp('When it was made.'),
});
const WebhookWithSecret = Type.Intersect([
  WebhookVO,
  Type.Object({
    secret: Type.String({
      description: 'Signing secret, `whsec_…` (Standard Webhooks). Shown only now.',
    }),
  }),
]);
const DeliveryVO = Type.Object({
  id: Type.Integer({
    description: 'Id of the delivery; the message carries it as `webhook-id: msg_ID`.',
  }),
  type: Type.String({ description: 'Type of the event.' }),
  state: Words(DELIVERY_STATES, 'What became of it.'),
  attempts: Type.Integer({
    description: 'Attempts altogether; sending it again goes on counting.',
  }),
  last_status: Type.Optional(Type.Integer({ description: 'HTTP status of the last answer.' })),
  last_error: Type.Optional(Type.String({ description: 'Why the last attempt failed.' })),
  last_error_code: SayingCode('last_error', Object.keys(DELIVERY_ERRORS.texts)),
  last_error_values: SayingValues('last_error'),
  next_attempt_at: Type.Optional(Timestamp('When it is tried next.')),
  delivered_at: Type.Optional(Timestamp('When it was taken.')),
  created_at: Timestamp('When it was queued.'),
});

function toWebhook(webhook: Webhook) {
  return {
    id: webhook.id,
    url: webhook.url,
    description: webhook.description,
    event_types: webhook.eventTypes,
    active: webhook.isActive,
    ...(webhook.disabledReason !== null && {
      disabled_reason: webhook.disabledReason,
      ...besideSentence('disabled_reason', DELIVERY_ERRORS.read(webhook.disabledReason)),
    }),
    pending: webhook.pending,
    dead: webhook.dead,
    created_at: webhook.createdAt.toISOString(),
  };
}

function toDelivery(delivery: Delivery) {
  return {
    id: delivery.id,
    type: delivery.type,
    state: delivery.state,
    attempts: delivery.attempts,
    ...(delivery.lastStatus !== null && { last_status: delivery.lastStatus }),
    ...(delivery.lastError !== null && {
      last_error: delivery.lastError,
      ...besideSentence('last_error', DELIVERY_ERRORS.read(delivery.lastError)),
    }),
    ...(delivery.state === 'pending' && { next_attempt_at: delivery.nextAttemptAt.toISOString() }),
    ...(delivery.deliveredAt !== null && { delivered_at: delivery.deliveredAt.toISOString() }),
    created_at: delivery.createdAt.toISOString(),
  };
}

function idOf(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw failure('not_found');
  return Number(text);
}

const config = { access: { scopes: ['operator:webhooks'] } };
const tags = ['operator: webhooks'];
const params = Type.Object({ id: Type.String({ description: 'Id of the webhook.' }) });
const deliveryParams = Type.Object({
  id: Type.String({ description: 'Id of the webhook.' }),
  delivery_id: Type.String({ description: 'Id of the delivery.' }),
});
const Queued = Type.Object({ delivery_id: Type.Integer({ description: 'Id of the delivery.' }) });
const DeliveryQuery = Type.Object({
  state: Type.Optional(Words(DELIVERY_STATES, 'Only these.')),
  ...PageParameters,
});
const nothing = { 204: Type.Null({ description: 'Done.' }) };

function registerManagement(app: HttpServer, db: Db, deps: WebhookDeps): void {
  const Create = Type.Object(
    { url: Url, description: Type.Optional(Description), event_types: Type.Optional(EventTypes) },
    { additionalProperties: false },
  );
  app.post(
    '/operator/webhooks',
    {
      config,
      schema: {
        tags,
        summary: 'Make a webhook',
        body: Create,
        response: { 200: WebhookWithSecret },
      },
    },
    async (request) => {
      const { url, description = '', event_types: eventTypes = [] } = request.body;
      const { webhook, secret } = await createWebhook(
        db,
        deps,
        { url, description, eventTypes },
        callerOf(request).clientId,
      );
      return { ...toWebhook(webhook), secret };
    },
  );
  app.get(
    '/operator/webhooks',
    {
      config,
      schema: { tags, summary: 'List the webhooks', response: { 200: Type.Array(WebhookVO) } },
    },
    async () => (await listWebhooks(db)).map(toWebhook),
  );
  app.get(
    '/operator/webhooks/:id',
    { config, schema: { tags, summary: 'One webhook', params, response: { 200: WebhookVO } } },
    async (request) => {
      const webhook = await findWebhook(db, idOf(request.params.id));
      if (!webhook) throw failure('not_found');
      return toWebhook(webhook);
    },
  );
  const Update = Type.Object(
    {
      url: Type.Optional(Url),
      description: Type.Optional(Description),
      event_types: Type.Optional(EventTypes),
      active: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  );
  app.patch(
    '/operator/webhooks/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Change a webhook',
        params,
        body: Update,
        response: { 200: WebhookVO },
      },
    },
    async (request) => {
      const { event_types: eventTypes, active: isActive, url, description } = request.body;
      const change = {
        ...(url !== undefined && { url }),
        ...(description !== undefined && { description }),
        ...(eventTypes && { eventTypes }),
        isActive,
      };
      return toWebhook(await updateWebhook(db, deps, idOf(request.params.id), change));
    },
  );
  app.delete(
    '/operator/webhooks/:id',
    {
      config,
      schema: { tags, summary: 'Delete a webhook with its messages', params, response: nothing },
    },
    async (request, reply) => {
      await deleteWebhook(db, idOf(request.params.id));
      return reply.code(204).send(null);
    },
  );
  app.post(
    '/operator/webhooks/:id/rotate-secret',
    {
      config,
      schema: {
        tags,
        summary: 'Make a new secret; for 24 hours both sign',
        params,
        response: { 200: WebhookWithSecret },
      },
    },
    async (request) => {
      const { webhook, secret } = await rotateWebhookSecret(db, deps, idOf(request.params.id));
      return { ...toWebhook(webhook), secret };
    },
  );
}

function registerDeliveries(app: HttpServer, db: Db, { clock }: WebhookDeps): void {
  app.post(
    '/operator/webhooks/:id/test',
    { config, schema: { tags, summary: 'Send a test message', params, response: { 202: Queued } } },
    async (request, reply) =>
      reply
        .code(202)
        .send({ delivery_id: await sendTestMessage(db, clock, idOf(request.params.id)) }),
  );
  app.get(
    '/operator/webhooks/:id/deliveries',
    {
      config,
      schema: {
        tags,
        summary: 'What became of the messages, newest first',
        params,
        querystring: DeliveryQuery,
        response: { 200: CappedPage(DeliveryVO) },
      },
    },
    async (request) => {
      const webhookId = idOf(request.params.id);
      if (!(await findWebhook(db, webhookId))) throw failure('not_found');
      const { records, total } = await listDeliveries(db, { webhookId, ...request.query });
      return toCappedPage(records.map(toDelivery), total, request.query);
    },
  );
  app.post(
    '/operator/webhooks/:id/deliveries/:delivery_id/redeliver',
    {
      config,
      schema: {
        tags,
        summary: 'Send a message again',
        params: deliveryParams,
        response: { 202: Queued },
      },
    },
    async (request, reply) => {
      const deliveryId = idOf(request.params.delivery_id);
      await redeliver(db, clock, idOf(request.params.id), deliveryId);
      return reply.code(202).send({ delivery_id: deliveryId });
    },
  );
  const Since = Type.Object(
    { since: Timestamp('Dead letters queued from then on.') },
    { additionalProperties: false },
  );
  const Count = Type.Object({ queued: Type.Integer({ description: 'How many are sent again.' }) });
  app.post(
    '/operator/webhooks/:id/redeliver',
    {
      config,
      schema: {
        tags,
        summary: 'Send all dead letters again',
        params,
        body: Since,
        response: { 202: Count },
      },
    },
    async (request, reply) =>
      reply.code(202).send({
        queued: await redeliverDead(
          db,
          clock,
          idOf(request.params.id),
          new Date(request.body.since),
        ),
      }),
  );
}

export function registerOperatorWebhooks(app: HttpServer, db: Db, deps: WebhookDeps): void {
  registerManagement(app, db, deps);
  registerDeliveries(app, db, deps);
}
