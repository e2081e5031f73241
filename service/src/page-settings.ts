/** Settings of what people see, as a part of the schema of the environment variables. */
import Type from 'typebox';

export const PAGE_SETTINGS = {
  DISPLAY_CURRENCY: Type.String({
    default: 'USDT',
    pattern: '^[A-Z][A-Z0-9]{1,15}$',
    description:
      'Currency of wallet totals, and of what amounts are worth in the console. It must exist, ' +
      'and needs a price of each other currency in it; what has none is shown without a value.',
  }),
  AUTHORIZATION_PAGE_URL: Type.String({
    default: '',
    description:
      'Sign-in and consent page that `GET /oauth2/authorize` redirects to. Default: the page ' +
      'that the service itself serves.',
  }),
  EXTENSION_URL: Type.Optional(
    Type.String({
      description:
        'Page of a store, with https, where people install the browser extension of the ' +
        'network. Absent: the console offers an archive of it (`/edge-extension.zip`).',
    }),
  ),
};
