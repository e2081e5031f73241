/**
 * Addresses from an account's extended public key: `xpub/0/index`, as every wallet derives its
 * receiving addresses.
 */
import { HDKey } from '@scure/bip32';
import { p2wpkh } from '@scure/btc-signer';
import { toAddress } from './chains/evm/address.ts';

export interface AddressRules {
  readonly kind: 'evm' | 'utxo';
  /** Human-readable part of bech32 addresses; UTXO only. */
  readonly addressPrefix: string | undefined;
}

const RECEIVING = 0;

/** Derives the address with an index, in the form for display: EIP-55 checksum, or bech32. */
export function deriveAddress(
  xpub: string,
  index: number,
  { kind, addressPrefix: bech32 }: AddressRules,
): string {
  const { publicKey } = HDKey.fromExtendedKey(xpub).deriveChild(RECEIVING).deriveChild(index);
  if (!publicKey) throw new Error('the extended key holds no public key');
  if (kind === 'evm') return toAddress(publicKey);
  if (bech32 === undefined) throw new Error('a UTXO network needs the prefix of its addresses');
  const { address } = p2wpkh(publicKey, { bech32, pubKeyHash: 0, scriptHash: 0, wif: 0 });
  if (address === undefined) throw new Error('no address could be derived');
  return address;
}
