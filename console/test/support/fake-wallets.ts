/** Wallets of a browser: their keys are in the test, and they announce themselves as real ones. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { base58 } from '@scure/base';
import type { Page } from 'playwright-core';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

export interface FakeWallets {
  readonly ethereum: { readonly name: string; readonly address: string };
  readonly solana: { readonly name: string; readonly address: string };
  /** The user declines what the wallets ask next. */
  declineNext(): void;
}

interface Keys {
  readonly solana: KeyObject;
}

function newSolanaKey(): Keys & { readonly address: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return { solana: privateKey, address: base58.encode(raw) };
}

/** Runs in the page: EIP-6963 and the Wallet Standard. */
function announce(names: { ethereum: string; solana: string; address: string }): void {
  const ask = (window as unknown as { askWallet(method: string, text: string): Promise<string> })
    .askWallet;
  const provider = {
    async request({ method, params = [] }: { method: string; params?: string[] }) {
      if (method === 'eth_chainId') return '0x1';
      const answer = await ask(method, params[0] ?? '');
      return method === 'eth_requestAccounts' ? [answer] : answer;
    },
    on: () => undefined,
    removeListener: () => undefined,
  };
  const info = { uuid: 'fake', name: names.ethereum, icon: 'data:,', rdns: 'test.fake' };
  const tell = () =>
    window.dispatchEvent(
      new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }),
    );
  window.addEventListener('eip6963:requestProvider', tell);
  tell();
  const toBytes = (text: string) =>
    Uint8Array.from(text.match(/../g) ?? [], (two) => Number.parseInt(two, 16));
  const account = {
    address: names.address,
    publicKey: new Uint8Array(32),
    chains: ['solana:mainnet'],
    features: ['solana:signMessage'],
  };
  const wallet = {
    version: '1.0.0',
    name: names.solana,
    icon: 'data:image/png;base64,',
    chains: ['solana:mainnet'],
    accounts: [account],
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [account] }) },
      'solana:signMessage': {
        version: '1.0.0',
        signMessage: async ({ message }: { message: Uint8Array }) => [
          { signature: toBytes(await ask('solana', new TextDecoder().decode(message))) },
        ],
      },
    },
  };
  const register = ({ register: add }: { register(own: unknown): void }) => add(wallet);
  window.addEventListener('wallet-standard:app-ready', (event) =>
    register((event as CustomEvent<{ register(own: unknown): void }>).detail),
  );
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }));
}

/** Adds wallets to the pages that `page` opens from now on. */
export async function addWallets(page: Page): Promise<FakeWallets> {
  const ethereum = privateKeyToAccount(generatePrivateKey());
  const solana = newSolanaKey();
  let isDeclining = false;
  await page.exposeFunction('askWallet', async (method: string, text: string) => {
    if (isDeclining) {
      isDeclining = false;
      throw new Error('declined');
    }
    if (method === 'eth_requestAccounts') return ethereum.address;
    if (method === 'solana') return sign(null, Buffer.from(text), solana.solana).toString('hex');
    return ethereum.signMessage({ message: Buffer.from(text.slice(2), 'hex').toString() });
  });
  const names = { ethereum: 'Fox Wallet', solana: 'Ghost Wallet', address: solana.address };
  await page.addInitScript(announce, names);
  return {
    ethereum: { name: names.ethereum, address: ethereum.address },
    solana: { name: `${names.solana} (Solana)`, address: solana.address },
    declineNext: () => {
      isDeclining = true;
    },
  };
}
