import { callAsMe } from '../session/session.ts';
import { promptForPasskey } from '../sign-in/passkey-prompt.ts';

/** Asks for the passkey of somebody who is signed in. */
export function startPasskeyProof(ticket: string): Promise<unknown> {
  return promptForPasskey(() =>
    callAsMe('POST', '/me/reauthenticate/passkey-options', { body: { login_ticket: ticket } }),
  );
}
