/** Requests and responses about second factors. */
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import Type from 'typebox';
import { Id, OptionalBody, Timestamp } from '../../http/index.ts';
import { Base64Url, Methods, TotpText } from '../schemas.ts';

/** The result of `navigator.credentials.create`, as `toJSON()` returns it. */
export const PasskeyAttestation = Type.Unsafe<RegistrationResponseJSON>(
  Type.Object(
    {
      id: Base64Url(2048),
      rawId: Base64Url(2048),
      type: Type.Literal('public-key'),
      response: Type.Object({
        clientDataJSON: Base64Url(8192),
        attestationObject: Base64Url(16_384),
        authenticatorData: Type.Optional(Base64Url(8192)),
        publicKey: Type.Optional(Base64Url(8192)),
        publicKeyAlgorithm: Type.Optional(Type.Integer()),
        transports: Type.Optional(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 10 })),
      }),
      authenticatorAttachment: Type.Optional(
        Type.Union([Type.String({ maxLength: 64 }), Type.Null()]),
      ),
      clientExtensionResults: Type.Object({}, { additionalProperties: true }),
    },
    {
      description:
        'The PublicKeyCredential of `navigator.credentials.create`, as its `toJSON()` gives it.',
    },
  ),
);

export const EndOthers = Type.Optional(Type.Boolean({ description: 'End all other sessions.' }));

export const AuthenticatorSecret = Type.Object(
  {
    secret: Type.String({ description: 'Base32, for typing.' }),
    otpauth_uri: Type.String({ description: 'For a QR code.' }),
  },
  { description: 'A new secret; its first code enrols it.' },
);

export const ConfirmBody = Type.Object({
  authenticator_code: TotpText,
  end_other_sessions: EndOthers,
});

export const FactorAnswer = Type.Object(
  {
    recovery_codes: Type.Optional(
      Type.Array(Type.String(), { description: 'Shown once, with the first strong factor.' }),
    ),
  },
  { description: 'The factor is enrolled.' },
);

export const RemoveBody = OptionalBody({ end_other_sessions: EndOthers });

export const PasskeyBody = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: 400,
    description: 'Name, 1 to 64 characters.',
  }),
  passkey_credential: PasskeyAttestation,
  end_other_sessions: EndOthers,
});

export const RecoveryCodes = Type.Object(
  { recovery_codes: Type.Array(Type.String()) },
  { description: 'Shown once; they replace earlier codes.' },
);

export const EmailFactorBody = Type.Object({
  enabled: Type.Boolean({ description: 'Allow EMAIL beside a strong factor.' }),
});

const Passkey = Type.Object({
  id: Id('Passkey.'),
  name: Type.String(),
  is_synced: Type.Boolean({ description: 'Synchronized between devices; otherwise bound to one.' }),
  created_at: Timestamp('When it was added.'),
  last_used_at: Type.Optional(Timestamp('When it last signed in.')),
});

export const SecondFactors = Type.Object(
  {
    two_factor_methods: Methods,
    has_authenticator: Type.Boolean(),
    passkeys: Type.Array(Passkey),
    recovery_codes_left: Type.Integer({ minimum: 0 }),
    is_email_factor_on: Type.Boolean({
      description: 'EMAIL is allowed beside a strong factor.',
    }),
    email_factor_barred_until: Type.Optional(
      Timestamp('EMAIL is not accepted before this time, after a reset by email.'),
    ),
    money_frozen_until: Type.Optional(
      Timestamp('Conversion and withdrawal are frozen until then.'),
    ),
    money_frozen_since: Type.Optional(
      Timestamp('An operator froze conversion and withdrawal then, until they release them.'),
    ),
  },
  { description: 'Second factors of the signed-in user.' },
);
