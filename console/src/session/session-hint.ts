import { createBrowserHint } from '../lib/browser-hint.ts';

/**
 * Whether a user was signed in in this browser at the last check. With it the sign-in page first
 * looks for a session, then shows its form.
 */
const hint = createBrowserHint('edge-signed-in');

export const wasSignedInHere = (): boolean => hint.isKept();
export const rememberSignIn = (isSignedIn: boolean): void => hint.keep(isSignedIn);
