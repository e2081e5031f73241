/** Metadata of clients beyond what the registry's columns hold; stored as one JSON object. */
import Type, { type Static } from 'typebox';
import { StringEnum } from '../../http/index.ts';
import { GROUP_NAME } from '../../identity/index.ts';

const GroupName = (description: string) =>
  Type.String({
    pattern: GROUP_NAME,
    description: `${description} 1 to 64 letters, digits and \`._:/-\`.`,
  });

const Uri = (description: string) => Type.String({ maxLength: 2000, description });

/** How a confidential client authenticates. */
export const AUTH_METHODS = ['client_secret_basic', 'private_key_jwt'] as const;
export const KEYS_MAX = 10;

/**
 * Under the names of OpenID Connect Dynamic Client Registration 1.0 and its extensions, where they
 * have one.
 */
export const CLIENT_METADATA = {
  post_logout_redirect_uris: Type.Array(Uri('Compared exactly.'), {
    maxItems: 20,
    description:
      'Where a browser may go after a logout that the application asked for (OpenID Connect ' +
      'RP-Initiated Logout 1.0). The rules are those of `redirect_uris`. Default: none.',
  }),
  backchannel_logout_uri: Uri(
    'Receives a logout token by POST when a session ends in which the application was signed in ' +
      'to (OpenID Connect Back-Channel Logout 1.0): https, of the public internet. Empty: none, ' +
      'the default.',
  ),
  policy_uri: Uri(
    'Privacy policy of the application, linked where a user is asked for consent: https. Empty: ' +
      'none, the default.',
  ),
  tos_uri: Uri('Its terms of service, in the same way. Empty: none, the default.'),
  logo_uri: Uri(
    'Its logo, shown where a user is asked for consent: PNG, JPEG or WebP of at most 64 KB and ' +
      '1024 pixels in a side, at https, of the public internet. It is fetched whenever the field ' +
      'is sent, and served by this service alone. Empty: none, the default.',
  ),
  token_endpoint_auth_method: StringEnum(
    AUTH_METHODS,
    'How a confidential client authenticates: by its secret in HTTP Basic or the form, the ' +
      'default, or by a JWT that it signs (RFC 7523), without a secret. Fixed at registration.',
  ),
  jwks: Type.Object(
    {
      keys: Type.Array(Type.Object({ kty: Type.String() }, { additionalProperties: true }), {
        maxItems: KEYS_MAX,
        description: 'Public keys (RFC 7517). Empty: none, the default.',
      }),
    },
    { additionalProperties: false, description: 'The keys that the client signs with.' },
  ),
  jwks_uri: Uri(
    'Instead of `jwks`: where those keys are read, at most once a minute; https, of the public ' +
      'internet. Empty: none, the default.',
  ),
  id_token_signed_response_alg: StringEnum(
    ['RS256', 'ES256', 'EdDSA'],
    'What signs its ID tokens and logout tokens. Default: RS256.',
  ),
  require_pushed_authorization_requests: Type.Boolean({
    description:
      'True: authorization requests are pushed first (RFC 9126). Default: false; every client ' +
      'may push.',
  }),
  require_signed_request_object: Type.Boolean({
    description:
      'True: authorization requests are signed (RFC 9101). Needs `jwks` or `jwks_uri`. Default: ' +
      'false; a client that has keys may sign.',
  }),
  roles: Type.Array(
    Type.Object(
      {
        group: GroupName('A group that operators assign to people.'),
        role: GroupName('What the application calls its members.'),
      },
      { additionalProperties: false },
    ),
    {
      maxItems: 100,
      uniqueItems: true,
      description:
        'The roles that members of groups have in the application; it sees them in the claim ' +
        '`roles`, with the scope `roles`. Set by operators only. Default: none.',
    },
  ),
  access_token_lifetime: Type.Integer({
    minimum: 0,
    maximum: 2_592_000,
    description:
      'Seconds that access tokens are valid, from 60; not longer than the service or the ' +
      'sign-in allows. 0: as long as these allow, the default.',
  }),
  refresh_token_lifetime: Type.Integer({
    minimum: 0,
    maximum: 31_536_000,
    description:
      'Seconds that a refresh token is valid without use, from 60; not longer than the service ' +
      'allows. 0: as long as that allows, the default.',
  }),
} as const;

const Metadata = Type.Partial(Type.Object(CLIENT_METADATA));
export type ClientMetadata = Readonly<Static<typeof Metadata>>;
const NAMES = Object.keys(CLIENT_METADATA) as (keyof ClientMetadata)[];

/** The fields of a request that are metadata. */
export function pickMetadata(body: Readonly<Partial<ClientMetadata>>): ClientMetadata {
  return Object.fromEntries(
    NAMES.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]),
  );
}

const DEFAULTS: ReadonlySet<unknown> = new Set(['', 0, false, AUTH_METHODS[0], 'RS256']);

function isDefault(value: ClientMetadata[keyof ClientMetadata]): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value === 'object' && 'keys' in value) return value.keys.length === 0;
  return DEFAULTS.has(value);
}

/** Without what says no more than the default. */
export function normaliseMetadata(metadata: ClientMetadata): ClientMetadata {
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => !isDefault(value)));
}
