/**
 * Whether somebody was signed in in this browser when it was last asked: no more than a hint, and no secret. It tells the
 * sign-in page whether to wait for who they are before it shows its form.
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
