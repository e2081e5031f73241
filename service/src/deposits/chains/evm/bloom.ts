/**
 * The 2048-bit filter in a header over the addresses and topics of its logs: proves that an answer
 * lacks some.
 */
import { createKeccak } from 'hash-wasm';

const BLOOM_BYTES = 256;
/** Each receiver of a token is another topic: in WebAssembly a hash takes a sixth of the time. */
const keccak = await createKeccak(256);

export interface BloomItem {
  readonly address: string;
  readonly topics: readonly string[];
}

/** True when these logs account for every bit of a header's filter. */
export function coversBloom(headerBloom: string, logs: readonly BloomItem[]): boolean {
  const found = new Uint8Array(BLOOM_BYTES);
  // Tokens and event signatures occur in many logs of a block: each is hashed once.
  for (const item of new Set(logs.flatMap(({ address, topics }) => [address, ...topics]))) {
    const hash = keccak
      .init()
      .update(Buffer.from(item.slice(2), 'hex'))
      .digest('binary');
    for (const at of [0, 2, 4]) {
      const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047;
      const byte = BLOOM_BYTES - 1 - (bit >> 3);
      found[byte] = (found[byte] ?? 0) | (1 << (bit & 7));
    }
  }
  const wanted = Buffer.from(headerBloom.slice(2), 'hex');
  return wanted.every((byte, at) => (byte & ~(found[at] ?? 0)) === 0);
}

/** True for the filter of chains that do not keep one. */
export function isEmptyBloom(headerBloom: string): boolean {
  return /^0x0*$/.test(headerBloom);
}
