import Type from 'typebox';
import { StringEnum, Timestamp } from '../../http/index.ts';
import { INTERACTION_ID_MAX } from '../provider/interaction-encryption.ts';

const InteractionId = Type.String({
  minLength: 1,
  maxLength: INTERACTION_ID_MAX,
  pattern: '^[A-Za-z0-9_-]+$',
  description: 'As the authorization page got it.',
});

export const ConsentQuery = Type.Object({ interaction_id: InteractionId });

export const RequestQuery = Type.Object({
  interaction_id: Type.String({
    maxLength: INTERACTION_ID_MAX,
    description: 'As the authorization page got it; any other value is reported as not waiting.',
  }),
});

export const RequestState = Type.Object({
  waiting: Type.Boolean({ description: 'The user can still decide.' }),
});

const Logo = Type.String({
  description: 'Path of the logo of the application at this service: an image.',
});

export const ConsentRequest = Type.Object(
  {
    interaction_id: Type.String(),
    client_id: Type.String(),
    client_name: Type.String({ description: 'Name of the application.' }),
    first_party: Type.Boolean({ description: "The operator's own application." }),
    redirect_uri: Type.String({ description: 'Where the browser is sent after the decision.' }),
    logo: Type.Optional(Logo),
    policy_uri: Type.Optional(
      Type.String({ description: 'Privacy policy of the application: https.' }),
    ),
    tos_uri: Type.Optional(Type.String({ description: 'Its terms of service: https.' })),
    scopes: Type.Array(
      Type.Object({
        name: Type.String(),
        description: Type.String({ description: 'What the scope permits.' }),
      }),
    ),
    categories: Type.Array(Type.String(), {
      description: 'Traffic categories that the device requests (`device_categories`).',
    }),
    allowed_already: Type.Boolean({
      description:
        'The user granted all of it before, or the application is first-party: the page may ' +
        'continue without asking. Never on loopback, nor with `prompt=consent`.',
    }),
    must_sign_in_again: Type.Boolean({
      description:
        'The application requires a newer or stronger sign-in than that of this token, or ' +
        'another user.',
    }),
    login_hint: Type.Optional(Type.String()),
  },
  { description: 'What an application requests.' },
);

/** Decision of a user about the request of an application or a device. */
export const decisionFields = {
  decision: StringEnum(['allow', 'deny'], 'Decision of the user.'),
  scopes: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: 64,
      description: 'Allowed scopes; default: all requested ones.',
    }),
  ),
  categories: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: 32,
      description: 'Granted traffic categories; default: all requested ones.',
    }),
  ),
};

export const ConsentBody = Type.Object(
  { interaction_id: InteractionId, ...decisionFields },
  { additionalProperties: false },
);

export const ConsentAnswer = Type.Object({
  redirect_to: Type.String({
    description:
      'URL where the browser that started the request continues; contains a one-time ticket.',
  }),
});

export const ConnectionRecord = Type.Object({
  client_id: Type.String(),
  client_name: Type.String(),
  first_party: Type.Boolean(),
  logo: Type.Optional(Logo),
  scopes: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })),
  remembered: Type.Boolean({ description: 'No new consent is needed for these scopes.' }),
  created_at: Timestamp('First consent.'),
  updated_at: Timestamp('Last consent.'),
});

export const Connections = Type.Object({ connections: Type.Array(ConnectionRecord) });
