import { unwrap } from '@edge-account/sdk';
import { api } from '../session/session-api.ts';
import { type PasskeyCredential, promptForPasskey } from '../sign-in/passkey-prompt.ts';

/** Asks for a passkey of the signed-in user. */
export function startPasskeyProof(ticket: string): Promise<PasskeyCredential> {
  return promptForPasskey(() =>
    unwrap(api.POST('/me/reauthenticate/passkey-options', { body: { login_ticket: ticket } })),
  );
}
