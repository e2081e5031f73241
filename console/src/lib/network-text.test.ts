import { expect, test } from 'vitest';
import { networkText } from './network-text.ts';

test.each([
  ['ETHEREUM', 'Ethereum', 'Ethereum'],
  ['ARBITRUM', 'Arbitrum One', 'Arbitrum One'],
  ['BSC', 'BNB Smart Chain', 'BNB Smart Chain (BSC)'],
  ['LOCAL_NET', 'Local net', 'Local net'],
  ['LOCALNET', 'Local demo chain', 'Local demo chain (LOCALNET)'],
  ['LOCALNET', undefined, 'LOCALNET'],
])('%s, called %s, is %s where it must not be taken for another', (code, name, text) => {
  expect(networkText(code, name)).toBe(text);
});
