import { createBrowserHint } from '../lib/browser-hint.ts';

/**
 * Whether a passkey was created or used in this browser: alone, as the second factor, or to confirm
 * a change. With it the page asks for the passkey first, and for the password below.
 */
const hint = createBrowserHint('edge-passkey');

export const wasPasskeyUsedHere = (): boolean => hint.isKept();
export const rememberPasskey = (): void => hint.keep(true);

/** False on a site without TLS, and in browsers that have no passkeys. */
export function hasPasskeys(): boolean {
  return 'PublicKeyCredential' in globalThis && 'credentials' in navigator;
}
