/** Schemas of `/operator/clients`. */
import Type, { type Static } from 'typebox';
import { StringEnum, Timestamp } from '../http/index.ts';
import {
  authMethodOf,
  CLIENT_METADATA,
  type Client,
  GRANT_TYPES,
  type GrantType,
} from '../oidc/index.ts';

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'What people read when the application asks for consent.',
});
const RedirectUris = Type.Array(Type.String({ maxLength: 2000 }), {
  maxItems: 20,
  description:
    'Compared exactly; only the port varies, and on loopback only. https, http on loopback, or ' +
    'a reverse-domain scheme.',
});
const Scopes = Type.Array(Type.String({ maxLength: 64 }), {
  maxItems: 64,
  description: 'Everything that the application may ask for.',
});
const GrantTypes = Type.Array(StringEnum(GRANT_TYPES, 'How it gets tokens.'), {
  minItems: 1,
  maxItems: 5,
  description:
    'Default: authorization_code with redirect URIs (and refresh_token with offline_access); ' +
    'client_credentials with a secret and none.',
});

const RequirePkce = Type.Boolean({
  description:
    'False: authorization requests may leave PKCE out if they have `nonce` and the scope ' +
    '`openid`. For confidential clients only. Default: true.',
});

export const ClientRecord = Type.Object({
  client_id: Type.String(),
  client_name: Name,
  type: StringEnum(['public', 'confidential'], 'Whether it can keep a secret.'),
  first_party: Type.Boolean({
    description: "The operator's own: people are not asked for consent.",
  }),
  require_pkce: RequirePkce,
  enabled: Type.Boolean(),
  redirect_uris: RedirectUris,
  scopes: Scopes,
  grant_types: GrantTypes,
  ...Type.Partial(Type.Object(CLIENT_METADATA)).properties,
  created_at: Timestamp('When it was registered.'),
  updated_at: Timestamp('When it last changed.'),
});

export const SecretAnswer = Type.Object({
  client_id: Type.String(),
  client_secret: Type.String({ description: 'Shown this once.' }),
});
export const CreatedRecord = Type.Object({
  ...ClientRecord.properties,
  client_secret: Type.Optional(
    Type.String({ description: 'Shown this once; only its hash is stored.' }),
  ),
});

export const NewClientBody = Type.Object(
  {
    client_id: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 64,
        pattern: '^[A-Za-z0-9._~-]+$',
        description: 'Default: random.',
      }),
    ),
    client_name: Name,
    type: StringEnum(['public', 'confidential'], 'Whether it can keep a secret.'),
    first_party: Type.Optional(Type.Boolean()),
    require_pkce: Type.Optional(RequirePkce),
    redirect_uris: Type.Optional(RedirectUris),
    scopes: Scopes,
    grant_types: Type.Optional(GrantTypes),
    ...Type.Partial(Type.Object(CLIENT_METADATA)).properties,
  },
  { additionalProperties: false },
);

export const ChangesBody = Type.Object(
  {
    client_name: Type.Optional(Name),
    first_party: Type.Optional(Type.Boolean()),
    require_pkce: Type.Optional(RequirePkce),
    enabled: Type.Optional(Type.Boolean()),
    redirect_uris: Type.Optional(RedirectUris),
    scopes: Type.Optional(Scopes),
    grant_types: Type.Optional(GrantTypes),
    ...Type.Partial(Type.Object(CLIENT_METADATA)).properties,
  },
  { additionalProperties: false },
);

export const ClientParams = Type.Object({ client_id: Type.String({ description: 'The client.' }) });

export function toRecord(client: Client): Static<typeof ClientRecord> {
  return {
    client_id: client.clientId,
    client_name: client.name,
    type: authMethodOf(client) === 'none' ? 'public' : 'confidential',
    first_party: client.isFirstParty,
    require_pkce: client.requiresPkce ?? true,
    enabled: client.isEnabled,
    redirect_uris: [...client.redirectUris],
    scopes: [...client.scopes],
    grant_types: [...client.grantTypes],
    ...client.metadata,
    created_at: client.createdAt.toISOString(),
    updated_at: client.updatedAt.toISOString(),
  };
}

/**
 * What a client most likely wants: people's sign-in where it has a redirect URI, its own tokens
 * where it has a secret.
 */
export function defaultGrants({
  type,
  redirect_uris = [],
  scopes,
}: Static<typeof NewClientBody>): GrantType[] {
  if (redirect_uris.length === 0)
    return type === 'confidential'
      ? ['client_credentials']
      : ['urn:ietf:params:oauth:grant-type:device_code'];
  return scopes.includes('offline_access')
    ? ['authorization_code', 'refresh_token']
    : ['authorization_code'];
}
