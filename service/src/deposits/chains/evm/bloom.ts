/** The 2048-bit filter in a header over the addresses and topics of its logs: proves that an answer lacks some. */
import { createKeccak } from 'hash-wasm';

export const BLOOM_BYTES = 256;
const MEMORY_MAX = 5000;
const ITEM_BYTES_MAX = 32;
/** Every receiver of a token is another topic: in WebAssembly its hash takes a sixth of the time. */
const keccak = await createKeccak(256);
const input = Buffer.alloc(ITEM_BYTES_MAX);

export interface BloomItem {
  readonly address: string;
  readonly topics: readonly string[];
}

/** Tokens and event signatures come again in every block: their hashes are kept. Receivers seldom do. */
const memory = new Map<string, Uint8Array>();

function hashOf(hex: string): Uint8Array {
  const size = input.write(hex.slice(2), 'hex');
  return keccak.init().update(input.subarray(0, size)).digest('binary');
}

function keptHashOf(hex: string): Uint8Array {
  const known = memory.get(hex);
  if (known) return known;
  const hash = hashOf(hex);
  if (memory.size >= MEMORY_MAX) memory.clear();
  memory.set(hex, hash);
  return hash;
}

/** Three bits, each named by two bytes of the hash. */
function setBits(bloom: Uint8Array, hash: Uint8Array): void {
  for (let at = 0; at < 6; at += 2) {
    const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047;
    const byte = BLOOM_BYTES - 1 - (bit >> 3);
    bloom[byte] = (bloom[byte] ?? 0) | (1 << (bit & 7));
  }
}

/** True when these logs account for every bit of a header's filter. */
export function coversBloom(headerBloom: string, logs: readonly BloomItem[]): boolean {
  const wanted = Buffer.from(headerBloom.slice(2), 'hex');
  if (logs.length === 0) return wanted.every((byte) => byte === 0);
  const found = new Uint8Array(BLOOM_BYTES);
  for (const { address, topics } of logs) {
    setBits(found, keptHashOf(address));
    for (const [at, topic] of topics.entries())
      setBits(found, at === 0 ? keptHashOf(topic) : hashOf(topic));
  }
  return wanted.every((byte, at) => (byte & ~(found[at] ?? 0)) === 0);
}

/** True for the filter of chains that do not keep one. */
export function isEmptyBloom(headerBloom: string): boolean {
  return /^0x0*$/.test(headerBloom);
}
