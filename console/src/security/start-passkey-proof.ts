import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { callAsMe } from '../session/session.ts';

/** Asks for the passkey of somebody who is signed in. */
export async function startPasskeyProof(ticket: string): Promise<unknown> {
  const optionsJSON = await callAsMe<PublicKeyCredentialRequestOptionsJSON>('POST', '/me/reauthenticate/passkey-options', { body: { login_ticket: ticket } });
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return startAuthentication({ optionsJSON });
}
