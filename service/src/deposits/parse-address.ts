/** Addresses in their form for display: those that users type are checked by their checksum. */
import type { Network } from './networks.ts';

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

/**
 * The address in its form for display; undefined when its checksum is wrong or missing, or when
 * it has no owner. An EVM address needs its EIP-55 checksum: in one case a typing error would
 * pass.
 */
export async function parseAddress(
  { kind, addressPrefix }: Pick<Network, 'kind' | 'addressPrefix'>,
  text: string,
): Promise<string | undefined> {
  if (kind === 'utxo') {
    const { parseUtxoAddress } = await import('./chains/utxo/address.ts');
    return parseUtxoAddress(text, addressPrefix ?? '');
  }
  const { checksumAddress, isAddress } = await import('./chains/evm/address.ts');
  return isAddress(text) && checksumAddress(text) === text && text !== ZERO_ADDRESS
    ? text
    : undefined;
}

/** The contract of a token with its checksum; undefined: the coin of the network. */
export async function showContract(contract: string | undefined): Promise<string | undefined> {
  if (contract === undefined) return undefined;
  const { checksumAddress } = await import('./chains/evm/address.ts');
  return checksumAddress(contract);
}
