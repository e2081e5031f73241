/** Sign-in providers of others, APIs that take tokens, and tokens of registration. */
export const providers = {
  title: 'Sign-in providers',
  lead: 'OpenID providers of others: people sign in with their accounts, and link them.',
  add: 'Add a provider',
  none: 'People sign in with the accounts of this service alone',
  provider: 'Provider',
  other: 'Another one',
  preset: { google: 'Google', apple: 'Apple', microsoft: 'Microsoft', telegram: 'Telegram' },
  id: 'Short name',
  idLead: 'It cannot be changed later. First register {{address}} at the provider as redirect URI.',
  taken: 'This name is taken: open that one instead.',
  label: 'Name at the sign-in',
  issuer: 'Issuer',
  issuerLead: 'An https address. Its metadata is read at once.',
  secret: 'Client secret',
  secretLead: 'Kept encrypted, and never shown. Empty for a client without one.',
  secretKept: 'One is stored. Leave this empty to keep it.',
  teamId: 'Team ID',
  keyId: 'Key ID',
  privateKey: 'Private key',
  privateKeyLead: 'The file that Apple hands out, as text. Kept encrypted, and never shown.',
  scopesLead: 'Separated by spaces, openid among them. Empty for a new one: the usual ones.',
  secondFactor: 'Second factors of the provider',
  secondFactorLead:
    'Values of amr that count as the second factor, separated by spaces. Empty: it is asked here.',
  redirectUri: 'Redirect URI',
  enabled: 'People can sign in with it',
  create: 'Set up',
  delete: 'Remove the provider',
  deleteTitle: 'Remove {{name}}?',
  deleteLead:
    'No one can sign in with it any more. People without a password set one by a reset. Linked ' +
    'accounts work again once it is set up again.',
};

export const resources = {
  title: 'APIs of your own',
  lead: 'They take access tokens of this service; applications can be given their scopes.',
  add: 'Add an API',
  none: 'No API takes tokens of this service',
  id: 'Short name',
  audience: 'Audience',
  audienceLead: 'The address of the API: tokens name it. It cannot be changed later.',
  scopesLead: 'One in each line: its name, a space, and what it permits, for people to read.',
  scopesNeeded: 'Say in each line what the scope permits, after its name.',
  enabled: 'Gets tokens',
  delete: 'Remove the API',
  deleteTitle: 'Remove {{name}}?',
  deleteLead: 'Not while an application has one of its scopes. Switch it off to stop it at once.',
};

export const registration = {
  title: 'Registration by programs',
  lead: 'With a token, a program registers applications by itself (dynamic registration).',
  issue: 'Issue a token',
  uses: 'Applications that it registers',
  days: 'Days until it ends',
  scopesLead: 'Separated by spaces: all that these applications may ask for.',
};
