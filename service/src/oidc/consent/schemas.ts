import Type from 'typebox';
import { Timestamp, Words } from '../../http/index.ts';
import { SEALED_REQUEST_MAX } from '../provider/interaction-encryption.ts';

const InteractionId = Type.String({
  minLength: 1,
  maxLength: SEALED_REQUEST_MAX,
  pattern: '^[A-Za-z0-9_-]+$',
  description: 'As the authorization page got it.',
});

export const ConsentQuery = Type.Object({ interaction_id: InteractionId });

export const RequestQuery = Type.Object({
  interaction_id: Type.String({
    maxLength: SEALED_REQUEST_MAX,
    description: 'As the authorization page got it; whatever else it may be waits for nobody.',
  }),
});

export const RequestState = Type.Object({
  waiting: Type.Boolean({ description: 'An answer can still be given.' }),
});

export const ConsentRequest = Type.Object(
  {
    interaction_id: Type.String(),
    client_id: Type.String(),
    client_name: Type.String({ description: 'What the application calls itself.' }),
    first_party: Type.Boolean({ description: "The operator's own application." }),
    redirect_uri: Type.String({ description: 'Where the person will be sent.' }),
    scopes: Type.Array(
      Type.Object({
        name: Type.String(),
        description: Type.String({ description: 'The scope in words.' }),
      }),
    ),
    categories: Type.Array(Type.String(), {
      description:
        'Categories of traffic that the device asks for (`device_categories` of the request).',
    }),
    allowed_already: Type.Boolean({
      description:
        "The person allowed all of it before, or the application is the operator's own: the page may go on without asking. Never on loopback, nor where the application wants the person asked.",
    }),
    must_sign_in_again: Type.Boolean({
      description: 'The application asks for a newer sign-in than this token has.',
    }),
    login_hint: Type.Optional(Type.String()),
  },
  { description: 'What an application asks of the person.' },
);

export const ConsentBody = Type.Object(
  {
    interaction_id: InteractionId,
    decision: Words(['allow', 'deny'], 'What the person decided.'),
    scopes: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        maxItems: 64,
        description: 'Scopes that are allowed; default: all that are asked for.',
      }),
    ),
    categories: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        maxItems: 32,
        description: 'Categories of traffic that are granted; default: all that are asked for.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const ConsentAnswer = Type.Object({
  redirect_to: Type.String({
    description:
      'Where the browser that began goes on; carries a ticket that serves once and works nowhere else.',
  }),
});

export const ConnectionRecord = Type.Object({
  client_id: Type.String(),
  client_name: Type.String(),
  first_party: Type.Boolean(),
  scopes: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })),
  remembered: Type.Boolean({ description: 'The person is not asked again for these scopes.' }),
  created_at: Timestamp('When the person first let it in.'),
  updated_at: Timestamp('When the person last decided.'),
});

export const Connections = Type.Object({ connections: Type.Array(ConnectionRecord) });
