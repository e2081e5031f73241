/** The browser's prompt for a passkey: one at a time, and left when another way is taken. */
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';

/** How many were begun or left: an older one opens nothing any more. */
let turn = 0;
let close: (() => void) | undefined;

/** Gets the options from the service, then what the person's passkey makes of them. @throws what either says, or that it was left */
export async function promptForPasskey(
  fetchOptions: () => Promise<PublicKeyCredentialRequestOptionsJSON>,
): Promise<unknown> {
  turn++;
  const own = turn;
  const optionsJSON = await fetchOptions();
  const { startAuthentication, WebAuthnAbortService } = await import('@simplewebauthn/browser');
  if (own !== turn) throw new DOMException('another way was taken', 'AbortError');
  close = () => WebAuthnAbortService.cancelCeremony();
  try {
    return await startAuthentication({ optionsJSON });
  } finally {
    if (own === turn) close = undefined;
  }
}

/** Closes the prompt, or keeps it from opening. */
export function leavePasskeyPrompt(): void {
  turn++;
  close?.();
  close = undefined;
}
