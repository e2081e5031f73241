import { generateKeyPairSync, sign } from 'node:crypto';
import { base58 } from '@scure/base';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Anvil, startAnvil } from '../../../test/support/chains/anvil.ts';
import {
  createWalletFactory,
  type WalletFactory,
} from '../../../test/support/chains/test-wallet.ts';
import type { RunOnChain } from '../types.ts';
import { isSignedByContract, isSignedByKey } from './verify-signature.ts';
import { readAddress, type Wallet } from './wallet-chains.ts';

const MESSAGE = 'account.test wants you to sign in';
const never: RunOnChain = async () => undefined;
const newAccount = () => privateKeyToAccount(generatePrivateKey());
const ethereum = (address: string, chainId = 1): Wallet => ({
  chain: 'ethereum',
  address,
  chainId,
});

describe('keys', () => {
  test('a key of Ethereum signs, also with a recovery byte of 0 or 1', async () => {
    const account = newAccount();
    const signature = await account.signMessage({ message: MESSAGE });
    const check = (text: string, message = MESSAGE, address: string = account.address) =>
      isSignedByKey(ethereum(address), message, text);
    expect(await check(signature)).toBe(true);
    const parity = signature.endsWith('1b') ? '00' : '01';
    expect(await check(signature.slice(0, -2) + parity)).toBe(true);
    expect(await check(signature, `${MESSAGE}.`)).toBe(false);
    expect(await check(signature, MESSAGE, newAccount().address)).toBe(false);
    expect(await check(`0x${'00'.repeat(65)}`)).toBe(false);
    expect(await check(`0x${'ff'.repeat(64)}1b`)).toBe(false);
  });

  test('a key of Solana signs', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
    const wallet: Wallet = { chain: 'solana', address: base58.encode(raw), chainId: 1 };
    const check = (signature: Buffer, message = MESSAGE) =>
      isSignedByKey(wallet, message, `0x${signature.toString('hex')}`);
    const signature = sign(null, Buffer.from(MESSAGE), privateKey);
    expect(await check(signature)).toBe(true);
    expect(await check(signature, `${MESSAGE}.`)).toBe(false);
    expect(await check(Buffer.alloc(64))).toBe(false);
    expect(await check(signature.subarray(0, 63))).toBe(false);
  });

  test('addresses have one form', async () => {
    const { address } = newAccount();
    expect(await readAddress('ethereum', address.toLowerCase())).toBe(address);
    expect(await readAddress('ethereum', address)).toBe(address);
    const swapped = address.replace(/[a-f]/i, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    );
    for (const wrong of [swapped, address.slice(2), `${address}0`, '', 'So1'])
      expect(await readAddress('ethereum', wrong)).toBeUndefined();
    const solana = base58.encode(Buffer.alloc(32, 7));
    expect(await readAddress('solana', solana)).toBe(solana);
    for (const wrong of [solana.slice(1), address, '', '0OIl'])
      expect(await readAddress('solana', wrong)).toBeUndefined();
  });
});

describe('contract wallets', () => {
  let chain: Anvil;
  let factory: WalletFactory;
  beforeAll(async () => {
    chain = await startAnvil();
    factory = await createWalletFactory(chain);
  });
  afterAll(() => chain.stop());
  const run: RunOnChain = (_chainId, data) =>
    chain.call<string>('eth_call', [{ data }, 'latest']).catch(() => undefined);

  async function walletOf(owner: ReturnType<typeof newAccount>): Promise<Wallet> {
    const address = await readAddress('ethereum', await factory.addressOf(owner));
    return ethereum(address ?? '', 31337);
  }

  test('one that is deployed says whose signature it takes (EIP-1271)', async () => {
    const owner = newAccount();
    await factory.deploy(owner);
    const wallet = await walletOf(owner);
    const signature = await owner.signMessage({ message: MESSAGE });
    expect(await isSignedByContract(wallet, MESSAGE, { signature, run })).toBe(true);
    expect(await isSignedByContract(wallet, `${MESSAGE}.`, { signature, run })).toBe(false);
    const other = await newAccount().signMessage({ message: MESSAGE });
    expect(await isSignedByContract(wallet, MESSAGE, { signature: other, run })).toBe(false);
    expect(await isSignedByContract(wallet, MESSAGE, { signature, run: never })).toBe(false);
  });

  test('one that is not deployed yet says how to (EIP-6492)', async () => {
    const owner = newAccount();
    const wallet = await walletOf(owner);
    const signature = await factory.signBefore(owner, MESSAGE);
    expect(await isSignedByContract(wallet, MESSAGE, { signature, run })).toBe(true);
    const foreign = await walletOf(newAccount());
    expect(await isSignedByContract(foreign, MESSAGE, { signature, run })).toBe(false);
  });
});
