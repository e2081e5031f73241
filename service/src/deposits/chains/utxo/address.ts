/** Addresses of the Bitcoin family. Loaded at first use. */
import { Address } from '@scure/btc-signer';

/** Version bytes of base58 addresses, by the prefix of the chain's bech32 addresses. */
const VERSIONS: Readonly<Record<string, readonly [pubKeyHash: number, scriptHash: number]>> = {
  bc: [0x00, 0x05],
  tb: [0x6f, 0xc4],
  bcrt: [0x6f, 0xc4],
  ltc: [0x30, 0x32],
  tltc: [0x6f, 0x3a],
  rltc: [0x6f, 0x3a],
};

/** The address in its form for display, or undefined: bech32 and base58 carry a checksum. */
export function parseUtxoAddress(text: string, bech32: string): string | undefined {
  const [pubKeyHash, scriptHash] = VERSIONS[bech32] ?? [];
  if (pubKeyHash === undefined || scriptHash === undefined) return undefined;
  const coder = Address({ bech32, pubKeyHash, scriptHash, wif: 0 });
  try {
    const decoded = coder.decode(text);
    return coder.encode(decoded);
  } catch {
    return undefined;
  }
}
