/** Requests and responses of the sign-in with other providers. */
import Type from 'typebox';
import { Id, Timestamp } from '../../http/index.ts';
import { Methods, RegisterBody, TicketText, userDetailsFields } from '../schemas.ts';

export const ProviderId = Type.String({
  pattern: '^[a-z0-9-]{1,40}$',
  description: 'Id of the provider: lower-case letters, digits and hyphens.',
});

const ProviderName = Type.Object({
  id: ProviderId,
  label: Type.String({ description: 'Name of the provider.' }),
});
const ProviderNames = Type.Array(ProviderName, { description: 'By id.' });

export const ProviderList = Type.Object({ providers: ProviderNames });

export const StartBody = Type.Object({ provider: ProviderId });

export const StartAnswer = Type.Object({
  authorization_url: Type.String({
    description: 'Where the browser goes. It can be used for 15 minutes, by this browser only.',
  }),
});

/** What the provider adds to `/sign-in/upstream/{provider}`. */
export const CallbackBody = Type.Object({
  provider: ProviderId,
  state: Type.String({
    minLength: 1,
    maxLength: 4096,
    description: 'As the provider returned it.',
  }),
  code: Type.String({ minLength: 1, maxLength: 4096, description: 'The authorization code.' }),
  iss: Type.Optional(
    Type.String({ maxLength: 2048, description: 'The issuer, if it was returned (RFC 9207).' }),
  ),
});

const Email = Type.String({ description: 'Address of the account.' });
export const SecondFactorStep = Type.Object({
  next: Type.Literal('second_factor'),
  need_two_factor: Type.Literal(true),
  login_ticket: TicketText,
  email: Email,
  two_factor_methods: Methods,
});

export const UpstreamResult = Type.Union(
  [
    SecondFactorStep,
    Type.Object({ next: Type.Literal('signed_in'), ...userDetailsFields }),
    Type.Object({
      next: Type.Literal('registration'),
      registration_ticket: Type.String({ description: 'For 20 minutes, in this browser only.' }),
      email: Type.String({ description: 'The address that the provider has verified.' }),
      name: Type.String({ description: 'As the provider names the person; may be empty.' }),
    }),
  ],
  { description: '`next` says what follows.' },
);

const { nickname, referral_code } = RegisterBody.properties;
export const RegisterUpstreamBody = Type.Object({
  registration_ticket: Type.String({ minLength: 1, maxLength: 4096 }),
  nickname,
  referral_code,
});

export const IdentityList = Type.Object({
  has_password: Type.Boolean({
    description:
      'False: the account was created with another provider. A reset sets a password, which ' +
      'changes of the account ask for.',
  }),
  identities: Type.Array(
    Type.Object({
      id: Id('The linked account.'),
      name: Type.String({ description: 'Name of the provider.' }),
      issuer: Type.String({
        description: 'Its issuer identifier; of a wallet the namespace, `eip155` or `solana`.',
      }),
      email: Type.Optional(Type.String({ description: 'As the provider named it at last.' })),
      address: Type.Optional(Type.String({ description: 'Address of a wallet.' })),
      linked_at: Timestamp('When it was linked.'),
      last_used_at: Timestamp('The last sign-in with it.'),
    }),
    { description: 'Oldest first.' },
  ),
  providers: ProviderNames,
});
