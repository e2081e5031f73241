/** Requests and responses of sign-in. */

import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import Type, { type Static } from 'typebox';
import { Id, StringEnum, Timestamp } from '../http/index.ts';
import { TWO_FACTOR_METHODS } from './types.ts';

export const EmailText = Type.String({
  minLength: 3,
  maxLength: 254,
  description: 'Email address.',
});
export const PasswordMd5 = Type.String({
  pattern: '^[0-9a-fA-F]{32}$',
  description: 'MD5 of the password, 32 hex digits.',
});
export const TicketText = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'One-time ticket of the previous step.',
});
export const EmailCodeText = Type.String({
  pattern: '^[0-9]{6}$',
  description: 'The six digits of the mail.',
});
export const TotpText = Type.String({
  pattern: '^[0-9]{6}$',
  description: 'The six digits of the authenticator.',
});
export const RecoveryText = Type.String({
  minLength: 12,
  maxLength: 20,
  pattern: '^[A-Za-z0-9 -]+$',
  description: 'A recovery code, instead of a lost authenticator or passkey.',
});
const BASE64URL = '^[A-Za-z0-9_-]*$';
export const Base64Url = (maxLength: number) =>
  Type.String({ pattern: BASE64URL, minLength: 1, maxLength });

/** The result of `navigator.credentials.get`, as `toJSON()` returns it. */
export const PasskeyAssertion = Type.Unsafe<AuthenticationResponseJSON>(
  Type.Object(
    {
      id: Base64Url(2048),
      rawId: Base64Url(2048),
      type: Type.Literal('public-key'),
      response: Type.Object({
        clientDataJSON: Base64Url(8192),
        authenticatorData: Base64Url(8192),
        signature: Base64Url(8192),
        userHandle: Type.Optional(Type.Union([Type.String({ maxLength: 256 }), Type.Null()])),
      }),
      authenticatorAttachment: Type.Optional(
        Type.Union([Type.String({ maxLength: 64 }), Type.Null()]),
      ),
      clientExtensionResults: Type.Object({}, { additionalProperties: true }),
    },
    {
      description:
        'The PublicKeyCredential of `navigator.credentials.get`, as its `toJSON()` gives it.',
    },
  ),
);

/** Options of a browser's WebAuthn call. */
export const PasskeyOptions = Type.Unsafe<object>({
  type: 'object',
  additionalProperties: true,
  description: 'Options for the browser’s WebAuthn call.',
});

export const StartedPasskeySignIn = Type.Object({
  challenge: Type.String({ description: 'Sent back with the assertion, within ten minutes.' }),
  options: PasskeyOptions,
});

export const PasskeySignInForm = Type.Object({
  challenge: Type.String({ minLength: 1, maxLength: 4096, description: 'As it was issued.' }),
  passkey_credential: PasskeyAssertion,
});

export const Method = StringEnum(TWO_FACTOR_METHODS, 'Second factor.');
export const Methods = Type.Array(Method, {
  description: 'The second factors that the user can use now.',
});

/** The fields of a second factor. */
export const factorFields = {
  method: Method,
  validate_code: Type.Optional(EmailCodeText),
  authenticator_code: Type.Optional(TotpText),
  recovery_code: Type.Optional(RecoveryText),
  passkey_credential: Type.Optional(PasskeyAssertion),
};

/** Of requests that may be asked for a challenge. */
export const ChallengeHeaders = Type.Object({
  'challenge-solution': Type.Optional(
    Type.String({
      maxLength: 8192,
      description:
        'The solution of the challenge that `challenge_required` carries. Of ' +
        '`challenge_type` `proof_of_work`: what ALTCHA’s widget submits, base64 of the JSON ' +
        '`{challenge, solution}`. Of `turnstile` and `hcaptcha`: the token of the widget.',
    }),
  ),
});

const ReferralCode = Type.String({
  minLength: 1,
  maxLength: 32,
  description: 'Referrer’s code, case-insensitive; permanent.',
});

export const InvitationParams = Type.Object({ referral_code: ReferralCode });

export const InvitationVO = Type.Object(
  {
    nickname: Type.String({ description: 'Nickname of the user whose code it is.' }),
    is_paying: Type.Boolean({ description: 'Whether the network pays devices anything now.' }),
    has_uptime: Type.Boolean({ description: 'Whether it pays for hours online.' }),
    has_traffic: Type.Boolean({ description: 'Whether it pays for traffic.' }),
    has_referral: Type.Boolean({
      description: 'Whether it pays a part of what they earn to who invited their owner.',
    }),
  },
  { description: 'Who invites, and whether there is something to earn.' },
);

export const RegisterBody = Type.Object({
  email: EmailText,
  login_password: PasswordMd5,
  nickname: Type.String({ minLength: 1, maxLength: 400, description: '1 to 40 characters.' }),
  referral_code: Type.Optional(ReferralCode),
});

export const RegisterAnswer = Type.Object(
  { email: Type.String(), register_ticket: TicketText },
  { description: 'A code is mailed to the address.' },
);

export const RegisterVerifyBody = Type.Object({
  email: EmailText,
  register_ticket: TicketText,
  validate_code: EmailCodeText,
});

export const RegisteredUser = Type.Object(
  {
    user_id: Id('The new user.'),
    email: Type.String(),
    nickname: Type.String(),
    referral_code: Type.String({ description: 'Code for the users that this user refers.' }),
    login_ticket: Type.String({
      description:
        'The registration ticket, now a login ticket for two minutes: `/user/login/2fa` accepts ' +
        'it with method EMAIL and the same code.',
    }),
  },
  { description: 'The account exists.' },
);

export const LoginForm = Type.Object({ email: EmailText, login_password: PasswordMd5 });

export const LoginResultVO = Type.Object(
  {
    need_two_factor: Type.Boolean({ description: 'Always true.' }),
    login_ticket: TicketText,
    email: Type.String({ description: 'Masked address.' }),
    two_factor_methods: Methods,
  },
  { description: 'The password is right; a second factor is required.' },
);

export const EmailCodeBody = Type.Object({ email: EmailText, login_ticket: TicketText });

export const LoginVerifyForm = Type.Object({
  email: EmailText,
  login_ticket: TicketText,
  ...factorFields,
});

export const userDetailsFields = {
  access_token: Type.String({ description: 'Token of the signed-in user.' }),
  device_token: Type.String({
    description: 'Token that connects a device; valid as long as the access token.',
  }),
  expire: Type.Integer({ description: 'When both tokens expire: Unix time in seconds.' }),
  email: Type.String({ description: 'Email address.' }),
};

export const UserDetails = Type.Object(userDetailsFields, { description: 'Signed in.' });

export const LogoutBody = Type.Object({
  id: Id('The caller’s own user id.'),
  everywhere: Type.Optional(
    Type.Boolean({ description: 'End all sessions and offline grants, not only this session.' }),
  ),
});

export const Me = Type.Object(
  {
    user_id: Id('The user.'),
    email: Type.String(),
    nickname: Type.String(),
    referral_code: Type.String({ description: 'Code for the users that this user refers.' }),
    referrer_id: Type.Optional(Id('The referrer.')),
    two_factor_methods: Methods,
    created_at: Timestamp('When the account was created.'),
    may_operate: Type.Optional(
      Type.Boolean({
        description:
          'True for operators: a sign-in with an authenticator app or passkey gives their scopes.',
      }),
    ),
  },
  { description: 'The signed-in user.' },
);
export type Me = Static<typeof Me>;

export const Nothing = Type.Null({ description: 'Done.' });
