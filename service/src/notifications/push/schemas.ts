/** Browsers that get notifications, on the wire. */
import Type, { type Static } from 'typebox';
import { Id, PathId, StringEnum, Timestamp } from '../../http/index.ts';
import { LANGUAGES } from '../../lib/language.ts';

/** Browsers of a user; a further one takes the place of the oldest. */
export const SUBSCRIPTIONS_MAX = 10;
/** 65 and 16 bytes in base64url without padding. */
const POINT_PATTERN = '^[A-Za-z0-9_-]{87}$';
const AUTH_PATTERN = '^[A-Za-z0-9_-]{22}$';

/** Members of `PushSubscription.toJSON()`. */
const target = {
  endpoint: Type.String({
    minLength: 1,
    maxLength: 2048,
    description:
      'Address of the browser at its push service (RFC 8030): https, of the public internet. ' +
      'A sender needs nothing but it, so it is stored encrypted and not shown again.',
  }),
  keys: Type.Object(
    {
      p256dh: Type.String({
        pattern: POINT_PATTERN,
        description: 'Public key of the browser: a point of P-256, not compressed, base64url.',
      }),
      auth: Type.String({
        pattern: AUTH_PATTERN,
        description: 'Secret of the browser for messages to it: 16 bytes, base64url.',
      }),
    },
    { additionalProperties: false, description: 'For the encryption by RFC 8291.' },
  ),
};

export const SubscriptionBody = Type.Object(
  {
    ...target,
    language: Type.Optional(
      StringEnum(LANGUAGES, 'Language of the texts. Default: the best of `Accept-Language`.'),
    ),
  },
  { additionalProperties: false, description: 'What the Push API of the browser answered.' },
);
export type SubscriptionBody = Static<typeof SubscriptionBody>;

export const RenewalBody = Type.Object(
  {
    ...target,
    renewal_token: Type.String({
      minLength: 1,
      maxLength: 512,
      description: 'As the subscription was answered with it.',
    }),
  },
  { additionalProperties: false, description: 'The address that replaces the former one.' },
);
export type RenewalBody = Static<typeof RenewalBody>;

export const SubscriptionParams = Type.Object({ id: PathId('The browser.') });

const id = Id('The browser.');

export const SavedSubscription = Type.Object(
  {
    id,
    renewal_token: Type.String({
      description: 'For `POST /push-subscriptions/renew`: a secret of the browser.',
    }),
  },
  { $id: 'SavedPushSubscription', description: 'The browser is sent what is chosen for it.' },
);
export type SavedSubscription = Static<typeof SavedSubscription>;

export const SubscriptionList = Type.Object(
  {
    application_server_key: Type.String({
      description:
        'Public key of this installation (VAPID, RFC 8292), base64url: the ' +
        '`applicationServerKey` of `PushManager.subscribe()`.',
    }),
    subscriptions: Type.Array(
      Type.Object({
        id,
        user_agent: Type.String({ description: 'How the browser names itself.' }),
        created_at: Timestamp('When it was turned on.'),
        sent_at: Type.Optional(
          Timestamp('When its push service last took a message. Absent: none yet.'),
        ),
        is_failing: Type.Boolean({
          description: 'Its push service did not take the last message; it is tried again.',
        }),
      }),
      { description: `Newest first, ${SUBSCRIPTIONS_MAX} at most.` },
    ),
  },
  { $id: 'PushSubscriptionList', description: 'Browsers of the user that get notifications.' },
);
export type SubscriptionList = Static<typeof SubscriptionList>;
