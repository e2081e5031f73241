/** What the routes of webhooks share: schemas, scope and tag. */
import Type from 'typebox';
import { DELIVERY_ERRORS, type Webhook } from '../events/index.ts';
import { MessageCode, MessageValues, messageFields, PathId, Timestamp } from '../http/index.ts';

export const config = { access: { scopes: ['operator:webhooks'] } };

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description:
    'https address that messages are posted to. Redirects are not followed; no fragment, no ' +
    'user name.',
});
const EventTypes = Type.Array(
  Type.String({
    pattern: '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*\\.([a-z][a-z0-9_]*|\\*)$',
    maxLength: 64,
  }),
  {
    maxItems: 50,
    description:
      'Types to send, for example `deposit.credited`, or `deposit.*` for all of a kind. A name ' +
      'that no event has is refused. Empty: all.',
  },
);
const Description = Type.String({ maxLength: 200, description: 'For people.' });

export const WebhookVO = Type.Object({
  id: Type.Integer({ description: 'Id of the webhook.' }),
  url: Url,
  description: Description,
  event_types: EventTypes,
  active: Type.Boolean({
    description:
      'False: nothing is sent; what happens meanwhile is sent when it is switched on, as far as ' +
      'events are kept.',
  }),
  disabled_reason: Type.Optional(Type.String({ description: 'Why the service switched it off.' })),
  disabled_reason_code: MessageCode('disabled_reason', ['answered']),
  disabled_reason_values: MessageValues('disabled_reason'),
  pending: Type.Integer({ description: 'Messages that wait for their next attempt.' }),
  dead: Type.Integer({ description: 'Messages given up; they can be redelivered for 30 days.' }),
  created_at: Timestamp('When it was made.'),
});
export const WebhookWithSecret = Type.Intersect([
  WebhookVO,
  Type.Object({
    secret: Type.String({
      description: 'Signing secret, `whsec_…` (Standard Webhooks). Shown only now.',
    }),
  }),
]);
export const WebhookParams = Type.Object({
  id: PathId('Id of the webhook.'),
});
export const NewWebhookBody = Type.Object(
  { url: Url, description: Type.Optional(Description), event_types: Type.Optional(EventTypes) },
  { additionalProperties: false },
);
export const WebhookChangesBody = Type.Object(
  {
    url: Type.Optional(Url),
    description: Type.Optional(Description),
    event_types: Type.Optional(EventTypes),
    active: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

export function toWebhook(webhook: Webhook) {
  return {
    id: webhook.id,
    url: webhook.url,
    description: webhook.description,
    event_types: webhook.eventTypes,
    active: webhook.isActive,
    ...(webhook.disabledReason &&
      messageFields('disabled_reason', DELIVERY_ERRORS, webhook.disabledReason)),
    pending: webhook.pending,
    dead: webhook.dead,
    created_at: webhook.createdAt.toISOString(),
  };
}
