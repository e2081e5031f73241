/** The message that a wallet signs; what it says waits encrypted with the browser. */
import { fieldError } from '../../lib/failures.ts';
import { newId } from '../../lib/ids.ts';
import type { IdentityContext } from '../context.ts';
import { spendNonce } from '../spend-nonce.ts';
import { openToken, startedBy } from '../upstream/upstream-request.ts';
import { chainName, readAddress, type Wallet, type WalletChain } from './wallet-chains.ts';
import type { WalletChallenge, WalletPurpose } from './wallet-token.ts';

/** Time to read and sign the message. */
export const WALLET_CHALLENGE_LIFETIME_S = 600;

const STATEMENTS = {
  sign_in: 'Sign in. This costs nothing and moves nothing.',
  link: 'Link this wallet to your account. This costs nothing and moves nothing.',
} as const;

/** EIP-4361; Sign-In With Solana has the same form. */
function writeMessage(baseUrl: string, { wallet, use, nonce, exp_ms }: WalletChallenge): string {
  const { host } = new URL(baseUrl);
  const issuedAt_ms = exp_ms - WALLET_CHALLENGE_LIFETIME_S * 1000;
  return [
    `${host} wants you to sign in with your ${chainName(wallet)} account:`,
    wallet.address,
    '',
    STATEMENTS[use.purpose],
    '',
    `URI: ${baseUrl}`,
    'Version: 1',
    `Chain ID: ${wallet.chain === 'solana' ? 'mainnet' : wallet.chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${new Date(issuedAt_ms).toISOString()}`,
    `Expiration Time: ${new Date(exp_ms).toISOString()}`,
  ].join('\n');
}

export interface WalletOrder {
  readonly chain: WalletChain;
  readonly address: string;
  readonly chain_id?: number;
}

export interface StartedChallenge {
  readonly challenge: string;
  readonly message: string;
}

/** @throws `invalid_parameter` for no address of the chain */
export async function startChallenge(
  { clock, config, walletCipher }: IdentityContext,
  { chain, address: text, chain_id: chainId = 1 }: WalletOrder,
  use: WalletPurpose,
  browser: string | undefined,
): Promise<StartedChallenge> {
  const address = await readAddress(chain, text);
  if (address === undefined) throw fieldError('address', 'address', `is no address of ${chain}`);
  const challenge: WalletChallenge = {
    ...startedBy(clock, WALLET_CHALLENGE_LIFETIME_S, browser),
    ...{ wallet: { chain, address, chainId }, use },
    // EIP-4361: letters and digits only.
    nonce: newId().replaceAll(/[^A-Za-z0-9]/g, ''),
  };
  return {
    challenge: walletCipher.encrypt(challenge),
    message: writeMessage(config.BASE_URL, challenge),
  };
}

export interface OpenedChallenge {
  readonly wallet: Wallet;
  readonly use: WalletPurpose;
  readonly message: string;
  /** A signature counts once, on all instances together. @throws `invalid_ticket` */
  spend(): Promise<void>;
}

/** @throws `invalid_ticket` when it has expired or is of another browser */
export function openChallenge(
  { clock, config, database, walletCipher }: IdentityContext,
  token: string,
  browser: string | undefined,
): OpenedChallenge {
  const challenge = openToken({ cipher: walletCipher, clock }, token, browser);
  const { wallet, use, nonce, exp_ms } = challenge;
  return {
    wallet,
    use,
    message: writeMessage(config.BASE_URL, challenge),
    spend: () => spendNonce(database, `wallet:${nonce}`, exp_ms),
  };
}
