/** Addresses of the Bitcoin family. */
import { Address, type NETWORK, OutScript } from '@scure/btc-signer';
import { type ChainRules, refuse } from '../verify-payout.ts';

export type UtxoNetwork = typeof NETWORK;

interface Facts {
  /** Version bytes of base58 addresses. */
  readonly versions: readonly [pubKeyHash: number, scriptHash: number];
  /** The name that a node gives its chain. */
  readonly chain: 'main' | 'test' | 'regtest';
}

const NETWORKS: Readonly<Record<string, Facts>> = {
  bc: { versions: [0x00, 0x05], chain: 'main' },
  tb: { versions: [0x6f, 0xc4], chain: 'test' },
  bcrt: { versions: [0x6f, 0xc4], chain: 'regtest' },
  ltc: { versions: [0x30, 0x32], chain: 'main' },
  tltc: { versions: [0x6f, 0x3a], chain: 'test' },
  rltc: { versions: [0x6f, 0x3a], chain: 'regtest' },
};

/** @throws Error for a prefix that is not known */
export function findNetwork(bech32: string): { network: UtxoNetwork; chain: string } {
  const facts = NETWORKS[bech32];
  if (!facts) throw new Error(`address_prefix must be one of ${Object.keys(NETWORKS).join(', ')}`);
  const [pubKeyHash, scriptHash] = facts.versions;
  return { network: { bech32, pubKeyHash, scriptHash, wif: 0 }, chain: facts.chain };
}

/** The output script of an address. @throws Error for a wrong checksum or another chain */
export function toScript(network: UtxoNetwork, address: string): Uint8Array {
  return OutScript.encode(Address(network).decode(address));
}

/** What a document may say on this chain. */
export function utxoRules(network: UtxoNetwork, ownAddress: string): ChainRules {
  const own = Buffer.from(toScript(network, ownAddress));
  return {
    chain_id: null,
    address_prefix: network.bech32,
    checkAddress({ address }) {
      let script: Uint8Array;
      try {
        script = toScript(network, address);
        const coder = Address(network);
        if (coder.encode(coder.decode(address)) !== address) throw new Error('another form');
      } catch {
        throw refuse('the address has a wrong checksum');
      }
      if (own.equals(script)) throw refuse('the address is not one of a user');
    },
  };
}
