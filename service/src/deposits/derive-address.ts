/** Addresses from an account's extended public key: `xpub/0/index`, as every wallet derives its receiving addresses. */
import type { HDKey } from '@scure/bip32';
import { addressOfPublicKey } from './chains/evm/address.ts';

export interface AddressRules {
  readonly kind: 'evm' | 'utxo';
  /** Human-readable part of bech32 addresses; UTXO only. */
  readonly addressPrefix: string | undefined;
}

const RECEIVING = 0;
const branches = new Map<string, HDKey>();
const BRANCHES_MAX = 64;

/** The receiving branch; kept, because each derivation from the xpub costs a curve multiplication more. */
async function receivingBranch(xpub: string): Promise<HDKey> {
  const known = branches.get(xpub);
  if (known) return known;
  const { HDKey } = await import('@scure/bip32');
  const branch = HDKey.fromExtendedKey(xpub).deriveChild(RECEIVING);
  if (branches.size >= BRANCHES_MAX) branches.clear();
  branches.set(xpub, branch);
  return branch;
}

/** Derives the address with a number. The text is what people see: EIP-55 checksum, or bech32. */
export async function deriveAddress(
  xpub: string,
  index: number,
  rules: AddressRules,
): Promise<string> {
  const { publicKey } = (await receivingBranch(xpub)).deriveChild(index);
  if (!publicKey) throw new Error('the extended key holds no public key');
  if (rules.kind === 'evm') return addressOfPublicKey(publicKey);
  const { p2wpkh } = await import('@scure/btc-signer');
  if (rules.addressPrefix === undefined)
    throw new Error('a UTXO network needs the prefix of its addresses');
  const { address } = p2wpkh(publicKey, {
    bech32: rules.addressPrefix,
    pubKeyHash: 0,
    scriptHash: 0,
    wif: 0,
  });
  if (address === undefined) throw new Error('no address could be derived');
  return address;
}
