/** The 2048-bit filter in a header over the addresses and topics of its logs: proves that an answer lacks some. */
import { createKeccak } from 'hash-wasm';

export const BLOOM_BYTES = 256;
const MEMORY_MAX = 20_000;
const ITEM_BYTES_MAX = 32;
/** Every receiver of a token is another topic: in WebAssembly its hash takes a sixth of the time. */
const keccak = await createKeccak(256);
const input = Buffer.alloc(ITEM_BYTES_MAX);

export interface BloomItem {
  readonly address: string;
  readonly topics: readonly string[];
}

/** Tokens and event signatures come again in every block: their bits are kept. */
const memory = new Map<string, readonly [number, number, number]>();

function bitsOf(hex: string): readonly [number, number, number] {
  const known = memory.get(hex);
  if (known) return known;
  const size = input.write(hex.slice(2), 'hex');
  const hash = keccak.init().update(input.subarray(0, size)).digest('binary');
  const bit = (at: number): number => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047;
  const bits = [bit(0), bit(2), bit(4)] as const;
  if (memory.size >= MEMORY_MAX) memory.clear();
  memory.set(hex, bits);
  return bits;
}

function setBits(bloom: Uint8Array, hex: string): void {
  for (const bit of bitsOf(hex)) bloom[BLOOM_BYTES - 1 - (bit >> 3)] = (bloom[BLOOM_BYTES - 1 - (bit >> 3)] ?? 0) | (1 << (bit & 7));
}

/** True when these logs account for every bit of a header's filter. */
export function coversBloom(headerBloom: string, logs: readonly BloomItem[]): boolean {
  const wanted = Buffer.from(headerBloom.slice(2), 'hex');
  if (logs.length === 0) return wanted.every((byte) => byte === 0);
  const found = new Uint8Array(BLOOM_BYTES);
  for (const { address, topics } of logs) {
    setBits(found, address);
    for (const topic of topics) setBits(found, topic);
  }
  return wanted.every((byte, at) => (byte & ~(found[at] ?? 0)) === 0);
}

/** True for the filter of chains that do not keep one. */
export function isEmptyBloom(headerBloom: string): boolean {
  return /^0x0*$/.test(headerBloom);
}
