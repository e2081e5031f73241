export const SIGN_IN_PATH = '/authorize';

/** Paths at which the console can be opened or reloaded, for the development server too. */
export const CONSOLE_PATHS = [
  '/',
  SIGN_IN_PATH,
  '/callback',
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
