/** The challenge of a sign-in by passkey waits encrypted with the browser: nothing is stored. */
import { createTokenCipher, type TokenCipher } from '../../lib/encrypted-token.ts';
import type { MasterKey } from '../../master-key.ts';

/** A page that waits for its user asks for a new challenge before this ends. */
export const PASSKEY_CHALLENGE_LIFETIME_S = 600;

export interface PasskeyChallenge {
  /** Base64url, as the browser signs it. */
  readonly challenge: string;
  readonly exp_ms: number;
  readonly browserHash?: string;
}

export const createPasskeyCipher = (masterKey: MasterKey): TokenCipher<PasskeyChallenge> =>
  createTokenCipher(masterKey.derive('passkey-sign-in'));
