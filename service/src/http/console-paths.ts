export const SIGN_IN_PATH = '/authorize';
/** Where upstream providers send the browser back; the id of the provider follows (ADR 0099). */
export const UPSTREAM_CALLBACK_PATH = '/sign-in/upstream/';

/** True for what is served with the sign-in page. */
export const isSignInPath = (path: string): boolean =>
  path === SIGN_IN_PATH || path.startsWith(UPSTREAM_CALLBACK_PATH);

/** Paths at which the console can be opened or reloaded, for the development server too. */
export const CONSOLE_PATHS = [
  '/',
  SIGN_IN_PATH,
  '/callback',
  `${UPSTREAM_CALLBACK_PATH}*`,
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
  '/notifications',
  '/operator',
] as const;
