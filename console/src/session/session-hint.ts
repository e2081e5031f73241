/**
 * Whether a user was signed in in this browser at the last check: a hint, not a secret. With it the
 * sign-in page first looks for a session, then shows its form.
 */
const STORAGE_KEY = 'edge-signed-in';

export function wasSignedInHere(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== null;
  } catch {
    return false;
  }
}

export function rememberSignIn(isSignedIn: boolean): void {
  try {
    if (isSignedIn) localStorage.setItem(STORAGE_KEY, 'yes');
    else localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Storage may be forbidden: then the form is shown at once.
  }
}
