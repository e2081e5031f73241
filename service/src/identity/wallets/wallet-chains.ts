/** Wallets with which a user can sign in. */
import { base58 } from '@scure/base';

export type WalletChain = 'ethereum' | 'solana';

/** An address of a wallet; `chainId` is the chain of a contract wallet (EIP-155). */
export interface Wallet {
  readonly chain: WalletChain;
  readonly address: string;
  readonly chainId: number;
}

/** Names of chains, by what stands for them as the issuer of an account. */
export const CHAIN_NAMES: Readonly<Record<string, string>> = {
  eip155: 'Ethereum',
  solana: 'Solana',
};
/** CAIP-2 namespaces, stored as the issuer. Issuers of providers are URLs, so none is equal. */
const NAMESPACES = { ethereum: 'eip155', solana: 'solana' } as const;
/** The namespaces as a list in SQL. */
export const WALLET_ISSUERS = "('eip155', 'solana')";

/** What signs: the key of the address, on every chain, or a contract at it. */
export type WalletSigner = 'key' | 'contract';

/**
 * How the wallet is stored: as an account of an upstream provider is. A contract is one of its
 * chain alone, because another chain can have one of another owner at the same address.
 */
export const toSubject = ({ chain, address, chainId }: Wallet, signer: WalletSigner) => ({
  issuer: NAMESPACES[chain],
  subject: signer === 'contract' ? `${chainId}:${address}` : address,
});

/** The address of a stored wallet. */
export const addressOf = (subject: string): string => subject.slice(subject.indexOf(':') + 1);

/** What the message and users read. */
export const chainName = ({ chain }: Wallet): string => CHAIN_NAMES[NAMESPACES[chain]] ?? chain;

const ED25519_KEY_BYTES = 32;

/** The public key of a Solana address; undefined: no address. */
export function decodeKey(address: string): Buffer | undefined {
  try {
    const key = Buffer.from(base58.decode(address));
    return key.length === ED25519_KEY_BYTES ? key : undefined;
  } catch {
    return undefined;
  }
}

/** The address in its one form (EIP-55; base58); undefined: no address. */
export async function readAddress(chain: WalletChain, text: string): Promise<string | undefined> {
  if (chain === 'solana') return decodeKey(text) ? text : undefined;
  // Loaded at first use: the curve and hash libraries stay out of the start.
  const { addr } = await import('micro-eth-signer');
  return addr.isValid(text) && text.startsWith('0x') ? addr.addChecksum(text) : undefined;
}
