export const SIGN_IN_PATH = '/authorize';
/** Where upstream providers send the browser back. */
export const UPSTREAM_CALLBACK_PATH = '/sign-in/upstream';

/** Served with the sign-in page. */
export const SIGN_IN_PATHS: readonly string[] = [SIGN_IN_PATH, UPSTREAM_CALLBACK_PATH];

/** Paths at which the console can be opened or reloaded, for the development server too. */
export const CONSOLE_PATHS = [
  '/',
  SIGN_IN_PATH,
  '/callback',
  UPSTREAM_CALLBACK_PATH,
  '/device',
  '/wallets',
  '/wallets/*',
  '/deposits',
  '/deposits/*',
  '/devices',
  '/devices/*',
  '/people',
  '/security',
  '/security/*',
  '/operator',
] as const;
