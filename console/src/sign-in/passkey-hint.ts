/**
 * Whether a user has signed in by a passkey in this browser: a hint, not a secret. With it the
 * page asks for the passkey first, and for the password below.
 */
const STORAGE_KEY = 'edge-passkey';

export function wasPasskeyUsedHere(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== null;
  } catch {
    return false;
  }
}

export function rememberPasskey(): void {
  try {
    localStorage.setItem(STORAGE_KEY, 'yes');
  } catch {
    // Storage may be forbidden: then the password comes first.
  }
}

/** False on a site without TLS, and in browsers that have no passkeys. */
export function hasPasskeys(): boolean {
  return 'PublicKeyCredential' in globalThis && 'credentials' in navigator;
}
