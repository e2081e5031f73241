/** The browser's prompt for a passkey: one at a time, closed when another method is chosen. */
import type { RequestBody } from '@edge-account/sdk';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';

export type PasskeyCredential = NonNullable<
  RequestBody<'/user/login/2fa', 'post'>['passkey_credential']
>;

/** Number of prompts that were started or closed: only the latest may open. */
let turn = 0;
let close: (() => void) | undefined;

/**
 * Requests the options from the service, then the signature from the browser. @throws an error of
 * either, or an AbortError after `leavePasskeyPrompt`
 */
export async function promptForPasskey(
  fetchOptions: () => Promise<object>,
  { isAutofill = false } = {},
): Promise<PasskeyCredential> {
  turn++;
  const own = turn;
  const optionsJSON = (await fetchOptions()) as PublicKeyCredentialRequestOptionsJSON;
  const { startAuthentication, WebAuthnAbortService } = await import('@simplewebauthn/browser');
  if (own !== turn) throw new DOMException('another method was chosen', 'AbortError');
  close = () => WebAuthnAbortService.cancelCeremony();
  try {
    return (await startAuthentication({
      optionsJSON,
      useBrowserAutofill: isAutofill,
    })) as PasskeyCredential;
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
