import { pbkdf2Sync } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { expect, test } from 'vitest';
import { testMasterKey } from '../../test/support/test-config.ts';
import { checksumAddress, isAddress } from './chains/evm/address.ts';
import { convertUnits } from './classify-deposit.ts';
import { deriveAddress } from './derive-address.ts';
import { decryptUrls, encryptUrls } from './encrypted-urls.ts';
import { showContract } from './parse-address.ts';
import { readPublicKey, redactUrl } from './validate-chain-config.ts';

const EVM = { kind: 'evm', addressPrefix: undefined } as const;
/** The root of the seed words that anvil and Hardhat use (BIP-39). */
const TEST_ROOT = HDKey.fromMasterSeed(
  pbkdf2Sync(
    'test test test test test test test test test test test junk',
    'mnemonic',
    2048,
    64,
    'sha512',
  ),
);
const BIP84_ACCOUNT =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';

test('EVM addresses equal those that wallets derive from the same account', async () => {
  const { publicExtendedKey } = TEST_ROOT.derive("m/44'/60'/0'");
  const xpub = await readPublicKey(publicExtendedKey);
  expect(deriveAddress(xpub, 0, EVM)).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');
  expect(deriveAddress(xpub, 1, EVM)).toBe('0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
});

test('UTXO addresses are those of BIP-84, from a key with the prefix of its network', async () => {
  const xpub = await readPublicKey(BIP84_ACCOUNT);
  expect(xpub).toMatch(/^xpub/);
  expect(deriveAddress(xpub, 0, { kind: 'utxo', addressPrefix: 'bc' })).toBe(
    'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  );
  expect(deriveAddress(xpub, 1, { kind: 'utxo', addressPrefix: 'bc' })).toBe(
    'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g',
  );
});

test.each([
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  '0xdAC17F958D2ee523a2206206994597C13D831ec7',
])('EIP-55: %s', (address) => {
  expect(checksumAddress(address.toLowerCase())).toBe(address);
  expect(isAddress(address)).toBe(true);
  expect(isAddress(address.replace(/[a-f]/, (letter) => letter.toUpperCase()))).toBe(false);
  expect(isAddress(address.slice(0, -1))).toBe(false);
});

test('a contract is shown with its checksum, and a coin has none', async () => {
  const usdt = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
  expect(await showContract(usdt.toLowerCase())).toBe(usdt);
  expect(await showContract(undefined)).toBeUndefined();
});

test('units are converted exactly; an inexact conversion is reported', () => {
  expect(convertUnits(1_500_000n, 6, 6)).toEqual({ amount: 1_500_000n, isExact: true });
  expect(convertUnits(125n, 2, 18)).toEqual({ amount: 1_250_000_000_000_000_000n, isExact: true });
  expect(convertUnits(10n ** 18n + 1n, 18, 6)).toEqual({ amount: 1_000_000n, isExact: false });
  expect(convertUnits(999n, 18, 6)).toEqual({ amount: 0n, isExact: false });
});

test('URLs of RPC endpoints are encrypted, and shown without the keys of providers', () => {
  const urls = ['https://user:password@node.example:8545/v3/access-key?token=1'];
  const sealed = encryptUrls(testMasterKey, urls);
  expect(sealed).not.toContain('access-key');
  expect(decryptUrls(testMasterKey, sealed)).toEqual(urls);
  expect(redactUrl(urls[0] ?? '')).toBe('https://node.example:8545');
});
