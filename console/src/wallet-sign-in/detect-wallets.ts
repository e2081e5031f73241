/**
 * The wallets of this browser: by EIP-6963 for Ethereum, by the Wallet Standard for Solana. They
 * announce themselves, also after the page has loaded.
 */
import { getWallets } from '@wallet-standard/app';
import { createStore, type EIP1193Provider } from 'mipd';
import { useEffect, useState } from 'react';

/** An account of a wallet that the user has connected to this page. */
export interface WalletAccount {
  readonly chain: 'ethereum' | 'solana';
  readonly address: string;
  /** The chain that the wallet is on (EIP-155). */
  readonly chain_id?: number;
  /** @returns hex that begins with `0x` */
  sign(message: string): Promise<string>;
}

export interface Wallet {
  readonly id: string;
  readonly name: string;
  /** Asks the user, in the wallet. */
  connect(): Promise<WalletAccount>;
}

/** The user declined in the wallet, or it has no account. */
export class WalletDeclined extends Error {}

const toHex = (bytes: Uint8Array): string =>
  `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

async function connectEthereum(provider: EIP1193Provider): Promise<WalletAccount> {
  const [address] = await provider.request({ method: 'eth_requestAccounts' });
  if (address === undefined) throw new WalletDeclined();
  const chain_id = Number(await provider.request({ method: 'eth_chainId' }));
  return {
    ...{ chain: 'ethereum', address, chain_id },
    sign: (message) =>
      provider.request({
        method: 'personal_sign',
        params: [toHex(encode(message)) as `0x${string}`, address],
      }),
  };
}

type StandardWallet = ReturnType<ReturnType<typeof getWallets>['get']>[number];

interface SolanaFeatures {
  readonly 'standard:connect': {
    connect(): Promise<{ readonly accounts: StandardWallet['accounts'] }>;
  };
  readonly 'solana:signMessage': {
    signMessage(input: {
      readonly account: StandardWallet['accounts'][number];
      readonly message: Uint8Array;
    }): Promise<readonly { readonly signature: Uint8Array }[]>;
  };
}

const isSolana = ({ features }: StandardWallet): boolean =>
  'standard:connect' in features && 'solana:signMessage' in features;

async function connectSolana(wallet: StandardWallet): Promise<WalletAccount> {
  const features = wallet.features as unknown as SolanaFeatures;
  const { accounts } = await features['standard:connect'].connect();
  const account = accounts.find(({ chains }) =>
    chains.some((chain) => chain.startsWith('solana:')),
  );
  if (!account) throw new WalletDeclined();
  return {
    ...{ chain: 'solana', address: account.address },
    async sign(message) {
      const input = { account, message: encode(message) };
      const [signed] = await features['solana:signMessage'].signMessage(input);
      if (!signed) throw new WalletDeclined();
      return toHex(signed.signature);
    },
  };
}

/** Failures of wallets have codes and words of their own. */
async function decline<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    throw new WalletDeclined('', { cause });
  }
}

function withDeclined({ id, name, connect }: Wallet): Wallet {
  return {
    ...{ id, name },
    connect: () =>
      decline(async () => {
        const account = await connect();
        return { ...account, sign: (message) => decline(() => account.sign(message)) };
      }),
  };
}

/** The wallets that have announced themselves so far. */
export function useWallets(): readonly Wallet[] {
  const [wallets, setWallets] = useState<readonly Wallet[]>([]);
  useEffect(() => {
    const ethereum = createStore();
    const standard = getWallets();
    const read = (): void =>
      setWallets(
        [
          ...ethereum.getProviders().map(({ info, provider }) => ({
            ...{ id: info.uuid, name: info.name },
            connect: () => connectEthereum(provider),
          })),
          ...standard
            .get()
            .filter(isSolana)
            .map((wallet) => ({
              ...{ id: `solana ${wallet.name}`, name: `${wallet.name} (Solana)` },
              connect: () => connectSolana(wallet),
            })),
        ].map(withDeclined),
      );
    read();
    const stops = [ethereum.subscribe(read), standard.on('register', read)];
    return () => {
      for (const stop of stops) stop();
      ethereum.destroy();
    };
  }, []);
  return wallets;
}
