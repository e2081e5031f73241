/** Bodies of `/operator/upstream-providers`, and what is known of well-known providers. */
import Type from 'typebox';
import { StringEnum, Timestamp } from '../http/index.ts';
import type { ResponseMode } from '../identity/index.ts';

export interface Preset {
  readonly label: string;
  readonly issuer: string;
  readonly scopes?: readonly string[];
  readonly responseMode?: ResponseMode;
  readonly sendsNonce?: boolean;
}

/** What is the same for each client of a well-known provider. */
export const PRESETS = {
  google: { label: 'Google', issuer: 'https://accounts.google.com' },
  // Apple sends an address by form_post only.
  apple: {
    label: 'Apple',
    issuer: 'https://appleid.apple.com',
    scopes: ['openid', 'name', 'email'],
    responseMode: 'form_post',
  },
  // Personal accounts; organisations have issuers of their own.
  microsoft: {
    label: 'Microsoft',
    issuer: 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
  },
  // Knows no address, so it only opens accounts that have linked it.
  telegram: {
    label: 'Telegram',
    issuer: 'https://oauth.telegram.org',
    scopes: ['openid'],
    sendsNonce: false,
  },
} as const satisfies Record<string, Preset>;

const Label = Type.String({ minLength: 1, maxLength: 40, description: 'Name at the sign-in.' });
const Issuer = Type.String({
  minLength: 1,
  maxLength: 512,
  description:
    'Issuer identifier (OpenID Connect Discovery 1.0): https, no query; its metadata is read ' +
    'when the provider is stored.',
});
const ClientId = Type.String({
  minLength: 1,
  maxLength: 512,
  description: 'The client that the provider has registered for this service.',
});
const Scopes = Type.Array(Type.String({ pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,100}$' }), {
  minItems: 1,
  maxItems: 20,
  description: 'What is requested; `openid` is needed. Default: openid, email, profile.',
});
const SecondFactorAmr = Type.Array(Type.String({ minLength: 1, maxLength: 32 }), {
  maxItems: 20,
  description:
    'Values of `amr` (RFC 8176) in an ID token of the provider that count as the second factor ' +
    'of a linked account. Default: none, and the second factor is asked here.',
});
const Mode = StringEnum(
  ['query', 'form_post'] as const,
  'How the provider sends the browser back; default: query.',
);
const SendsNonce = Type.Boolean({
  description:
    'False: for a provider that returns no `nonce`; it must support PKCE, which then binds the ' +
    'code alone. Default: true.',
});
const Enabled = Type.Boolean({ description: 'Users can sign in with it; default: true.' });

export const Order = Type.Object(
  {
    preset: Type.Optional(
      StringEnum(
        Object.keys(PRESETS) as (keyof typeof PRESETS)[],
        'A known provider: what is the same for each of its clients.',
      ),
    ),
    label: Type.Optional(Label),
    issuer: Type.Optional(Issuer),
    client_id: ClientId,
    client_secret: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 4096 }), Type.Null()], {
        description:
          'Stored encrypted and never shown. Left out: the stored one stays if issuer and client ' +
          'stay. Null, or none: a public client.',
      }),
    ),
    apple_key: Type.Optional(
      Type.Object(
        {
          team_id: Type.String({ minLength: 1, maxLength: 64 }),
          key_id: Type.String({ minLength: 1, maxLength: 64 }),
          private_key: Type.String({
            minLength: 1,
            maxLength: 4096,
            description: 'PKCS #8 in PEM, as Apple hands it out (ES256).',
          }),
        },
        {
          description:
            'Instead of `client_secret`, for Apple: signs the client secret. Stored encrypted.',
        },
      ),
    ),
    response_mode: Type.Optional(Mode),
    scopes: Type.Optional(Scopes),
    second_factor_amr: Type.Optional(SecondFactorAmr),
    sends_nonce: Type.Optional(SendsNonce),
    enabled: Type.Optional(Enabled),
  },
  { additionalProperties: false },
);

export const Id = Type.String({
  description: 'Lower-case letters, digits and hyphens, at most 40.',
});
export const Provider = Type.Object(
  {
    id: Id,
    label: Label,
    issuer: Issuer,
    client_id: ClientId,
    has_secret: Type.Boolean({ description: 'A client secret is stored.' }),
    scopes: Scopes,
    second_factor_amr: SecondFactorAmr,
    response_mode: Mode,
    sends_nonce: SendsNonce,
    enabled: Enabled,
    updated_at: Timestamp('The last change.'),
  },
  { $id: 'UpstreamProvider', description: 'An OpenID provider of others.' },
);
export const Providers = Type.Array(Provider, { description: 'By id.' });
