/** What dynamic registration takes and answers (RFC 7591, OpenID Connect Registration 1.0). */
import Type, { type Static } from 'typebox';
import { StringEnum } from '../../http/index.ts';
import { CLIENT_METADATA, GRANT_TYPES } from '../clients/index.ts';

const AuthMethod = StringEnum(
  ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
  'How the client authenticates; `none`: a public client. Default: `client_secret_basic`.',
);

/** Without `roles`: only operators set which group of users has which role. */
const { roles: _roles, ...REGISTRATION_METADATA } = CLIENT_METADATA;

export const RegistrationRequest = Type.Object(
  {
    ...Type.Partial(Type.Object(REGISTRATION_METADATA)).properties,
    client_name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'What users read at the consent.' }),
    ),
    redirect_uris: Type.Optional(
      Type.Array(Type.String({ maxLength: 2000 }), {
        maxItems: 20,
        description: 'Compared exactly; on loopback the port may differ.',
      }),
    ),
    grant_types: Type.Optional(
      Type.Array(StringEnum(GRANT_TYPES, 'How it gets tokens.'), {
        minItems: 1,
        maxItems: 5,
        description: 'Default: `authorization_code`, and `refresh_token` with `offline_access`.',
      }),
    ),
    response_types: Type.Optional(
      Type.Array(Type.Literal('code', { description: 'The only one.' }), {
        maxItems: 1,
        description: 'Default: `code`.',
      }),
    ),
    scope: Type.Optional(
      Type.String({
        maxLength: 1000,
        description:
          'Names with spaces between. Default: all that the initial access token allows.',
      }),
    ),
    token_endpoint_auth_method: Type.Optional(AuthMethod),
  },
  { additionalProperties: true, description: 'Other members are ignored (RFC 7591).' },
);
export type Registration = Static<typeof RegistrationRequest>;

export const RegisteredClient = Type.Object(
  {
    ...RegistrationRequest.properties,
    client_id: Type.String({ description: 'The new client.' }),
    client_id_issued_at: Type.Integer({ description: 'Unix time in seconds.' }),
    client_secret: Type.Optional(Type.String({ description: 'Shown this once.' })),
    client_secret_expires_at: Type.Optional(
      Type.Integer({ description: '0: it does not expire.' }),
    ),
  },
  { description: 'The client as it was registered.' },
);
