/** `/operator/webhooks/{id}/deliveries`: the state of each message, and how it is sent again. */

import Type from 'typebox';
import type { Db } from '../db/index.ts';
import {
  DELIVERY_ERRORS,
  DELIVERY_STATES,
  type Delivery,
  findDelivery,
  findWebhook,
  listDeliveries,
  redeliver,
  redeliverDead,
  sendTestMessage,
  type WebhookDeps,
} from '../events/index.ts';
import {
  CappedPage,
  type HttpServer,
  MessageCode,
  MessageValues,
  messageFields,
  PageParameters,
  PathId,
  parsePathId,
  StringEnum,
  Timestamp,
  toCappedPage,
} from '../http/index.ts';
import { failure } from '../lib/failures.ts';
import { operations } from './operations/webhooks.ts';
import { config, WebhookParams } from './webhook-schemas.ts';

const DeliveryVO = Type.Object({
  id: Type.Integer({
    description: 'Id of the delivery; the message carries it as `webhook-id: msg_ID`.',
  }),
  type: Type.String({ description: 'Type of the event.' }),
  state: StringEnum(DELIVERY_STATES, 'Whether it waits, was delivered or was given up.'),
  attempts: Type.Integer({
    description: 'Attempts altogether; sending it again continues the count.',
  }),
  last_status: Type.Optional(Type.Integer({ description: 'HTTP status of the last answer.' })),
  last_error: Type.Optional(Type.String({ description: 'Why the last attempt failed.' })),
  last_error_code: MessageCode('last_error', Object.keys(DELIVERY_ERRORS.texts)),
  last_error_values: MessageValues('last_error'),
  next_attempt_at: Type.Optional(Timestamp('When it is tried next.')),
  delivered_at: Type.Optional(Timestamp('When the receiver accepted it.')),
  created_at: Timestamp('When it was queued.'),
});

const DeliveryWithBody = Type.Object({
  ...DeliveryVO.properties,
  body: Type.String({ description: 'What is posted, byte by byte as it is signed: JSON.' }),
});

const DeliveryParams = Type.Object({
  ...WebhookParams.properties,
  delivery_id: PathId('Id of the delivery.'),
});
const Queued = Type.Object({ delivery_id: Type.Integer({ description: 'Id of the delivery.' }) });
const DeliveryQuery = Type.Object({
  state: Type.Optional(StringEnum(DELIVERY_STATES, 'Only deliveries in this state.')),
  ...PageParameters,
});
const Since = Type.Object(
  { since: Timestamp('Dead letters queued from then on.') },
  { additionalProperties: false },
);
const Count = Type.Object({ queued: Type.Integer({ description: 'How many are sent again.' }) });

function toDelivery(delivery: Delivery) {
  return {
    id: delivery.id,
    type: delivery.type,
    state: delivery.state,
    attempts: delivery.attempts,
    ...(delivery.lastStatus !== null && { last_status: delivery.lastStatus }),
    ...(delivery.lastError && messageFields('last_error', DELIVERY_ERRORS, delivery.lastError)),
    ...(delivery.state === 'pending' && { next_attempt_at: delivery.nextAttemptAt.toISOString() }),
    ...(delivery.deliveredAt !== null && { delivered_at: delivery.deliveredAt.toISOString() }),
    created_at: delivery.createdAt.toISOString(),
  };
}

/** Registers the routes of messages and their deliveries. */
export function registerDeliveries(app: HttpServer, db: Db, { clock }: WebhookDeps): void {
  app.post(
    '/operator/webhooks/:id/test',
    {
      config,
      schema: { ...operations.testWebhook, params: WebhookParams, response: { 202: Queued } },
    },
    async (request, reply) =>
      reply
        .code(202)
        .send({ delivery_id: await sendTestMessage(db, clock, parsePathId(request.params.id)) }),
  );
  app.get(
    '/operator/webhooks/:id/deliveries',
    {
      config: { ...config, readsFrom: 'standby' },
      schema: {
        ...operations.listWebhookDeliveries,
        params: WebhookParams,
        querystring: DeliveryQuery,
        response: { 200: CappedPage(DeliveryVO) },
      },
    },
    async (request) => {
      const webhookId = parsePathId(request.params.id);
      if (!(await findWebhook(db, webhookId))) throw failure('not_found');
      const { records, total } = await listDeliveries(db, { webhookId, ...request.query });
      return toCappedPage(records.map(toDelivery), total, request.query);
    },
  );
  app.get(
    '/operator/webhooks/:id/deliveries/:delivery_id',
    {
      config: { ...config, readsFrom: 'standby' },
      schema: {
        ...operations.getWebhookDelivery,
        params: DeliveryParams,
        response: { 200: DeliveryWithBody },
      },
    },
    async ({ params }) => {
      const delivery = await findDelivery(
        db,
        parsePathId(params.id),
        parsePathId(params.delivery_id),
      );
      if (!delivery) throw failure('not_found');
      return { ...toDelivery(delivery), body: delivery.body };
    },
  );
  registerRedelivery(app, db, clock);
}

function registerRedelivery(app: HttpServer, db: Db, clock: WebhookDeps['clock']): void {
  app.post(
    '/operator/webhooks/:id/deliveries/:delivery_id/redeliver',
    {
      config,
      schema: { ...operations.redeliverMessage, params: DeliveryParams, response: { 202: Queued } },
    },
    async (request, reply) => {
      const deliveryId = parsePathId(request.params.delivery_id);
      await redeliver(db, clock, parsePathId(request.params.id), deliveryId);
      return reply.code(202).send({ delivery_id: deliveryId });
    },
  );
  app.post(
    '/operator/webhooks/:id/redeliver',
    {
      config,
      schema: {
        ...operations.redeliverDeadLetters,
        params: WebhookParams,
        body: Since,
        response: { 202: Count },
      },
    },
    async (request, reply) =>
      reply.code(202).send({
        queued: await redeliverDead(
          db,
          clock,
          parsePathId(request.params.id),
          new Date(request.body.since),
        ),
      }),
  );
}
