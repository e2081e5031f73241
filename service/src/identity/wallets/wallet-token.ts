/** What a challenge of a wallet carries, encrypted: nothing is stored. */
import { createTokenCipher, type TokenCipher } from '../../lib/encrypted-token.ts';
import type { MasterKey } from '../../master-key.ts';
import type { Wallet } from './wallet-chains.ts';

/** What a signature is for. */
export type WalletPurpose =
  | { readonly purpose: 'sign_in' }
  | { readonly purpose: 'link'; readonly sid: string };

export interface WalletChallenge {
  readonly wallet: Wallet;
  readonly use: WalletPurpose;
  readonly nonce: string;
  readonly exp_ms: number;
  readonly browserHash?: string;
}

export const createWalletCipher = (masterKey: MasterKey): TokenCipher<WalletChallenge> =>
  createTokenCipher(masterKey.derive('wallet-challenge'));
