import { createBrowserHint } from '../lib/browser-hint.ts';

/** Also read by the document's script. */
export const SIGNED_IN_KEY = 'edge-signed-in';

/**
 * Whether a user was signed in in this browser at the last check. With it the sign-in page first
 * looks for a session, then shows its form.
 */
const hint = createBrowserHint(SIGNED_IN_KEY);

export const wasSignedInHere = (): boolean => hint.isKept();
export const rememberSignIn = (isSignedIn: boolean): void => hint.keep(isSignedIn);
