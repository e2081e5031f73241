/** Addresses of an EVM chain. */
import { getAddress, isAddress, zeroAddress } from 'viem';
import { type ChainRules, refuse } from './verify-payout.ts';

/** What a document may say on this chain. */
export const evmRules = (chain_id: number, ownAddress: string): ChainRules => ({
  chain_id,
  address_prefix: null,
  checkAddress({ address, contract }) {
    if (!isAddress(address, { strict: true }) || getAddress(address) !== address)
      throw refuse('the address has a wrong checksum');
    if (address === zeroAddress || address === ownAddress || address.toLowerCase() === contract)
      throw refuse('the address is not one of a user');
  },
});
