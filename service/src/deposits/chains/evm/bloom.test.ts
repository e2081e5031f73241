import { keccak_256 } from '@noble/hashes/sha3.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import { expect, test } from 'vitest';
import { createRandom } from '../../../../test/support/chains/random.ts';
import { type BloomItem, coversBloom, isEmptyBloom } from './bloom.ts';

const random = createRandom(11);
const hexOf = (bytes: number): string =>
  `0x${Array.from({ length: bytes * 2 }, () => random.below(16).toString(16)).join('')}`;

/** The filter as the Ethereum yellow paper writes it, with another hash library. */
function filterOf(logs: readonly BloomItem[]): string {
  let bits = 0n;
  for (const { address, topics } of logs) {
    for (const item of [address, ...topics]) {
      const hash = keccak_256(hexToBytes(item.slice(2)));
      for (const at of [0, 2, 4])
        bits |= 1n << BigInt((((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047);
    }
  }
  return `0x${bits.toString(16).padStart(512, '0')}`;
}

test('the logs account for the bloom filter; without one of them some bits are unexplained', () => {
  for (let round = 0; round < 50; round++) {
    const logs = Array.from({ length: 1 + random.below(8) }, () => ({
      address: hexOf(20),
      topics: Array.from({ length: random.below(5) }, () => hexOf(32)),
    }));
    const filter = filterOf(logs);
    expect(coversBloom(filter, logs)).toBe(true);
    expect(coversBloom(filter, logs.slice(1))).toBe(filterOf(logs.slice(1)) === filter);
    expect(coversBloom(filter, [])).toBe(false);
  }
});

test('a header without a bloom filter is recognised', () => {
  expect(isEmptyBloom(`0x${'0'.repeat(512)}`)).toBe(true);
  expect(isEmptyBloom('0x')).toBe(true);
  expect(isEmptyBloom(filterOf([{ address: hexOf(20), topics: [] }]))).toBe(false);
});
