/**
 * A local chain for the demo: a real node with a token, and the operator's calls that make a
 * running service watch it.
 */
import { HDKey } from '@scure/bip32';
import { type Anvil, type Hex, startAnvil } from './anvil.ts';

export const DEMO_NETWORK = 'LOCALNET';
const CHAIN_ID = 31337;
const DECIMALS = 6;
/** Ten coins in wei. */
const COINS = `0x${(10n * 10n ** 18n).toString(16)}`;

export interface DemoChain {
  readonly confirmations: number;
  /** Configures the chain at a service, over the operator API. */
  configure(baseUrl: string, operatorToken: string): Promise<void>;
  /** Sends USDT to an address; it is in no block yet. Returns the transaction. */
  pay(address: string, amount: number): Promise<Hex>;
  mine(): Promise<void>;
  /** For a signer: the endpoint, the chain, and the contract of USDT. */
  readonly url: string;
  readonly chainId: number;
  readonly usdt: Hex;
  /** Gives an address USDT, and coins for gas. */
  fund(address: string, amount: number): Promise<void>;
  /** USDT of an address, in millionths. */
  balanceOf(address: string): Promise<bigint>;
  /** Stops the node: it answers nothing until it thaws. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

async function put(url: string, token: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok)
    throw new Error(`PUT ${url} answered ${response.status}: ${await response.text()}`);
}

/** A public key whose private key is discarded: addresses are derived from it. */
export function makeAccountKey(): string {
  return HDKey.fromMasterSeed(crypto.getRandomValues(new Uint8Array(32))).derive("m/44'/60'/0'")
    .publicExtendedKey;
}

/** Starts the demo chain. Coins on its addresses cannot be spent. */
export async function startDemoChain(confirmations = 3): Promise<DemoChain> {
  const anvil: Anvil = await startAnvil({ chainId: CHAIN_ID });
  const usdt = await anvil.deployToken('USDT', DECIMALS);
  const xpub = makeAccountKey();
  const pay = (address: string, amount: number): Promise<Hex> =>
    anvil.send({
      to: usdt,
      data: anvil.encode('pay', [address, BigInt(amount) * 10n ** BigInt(DECIMALS)]),
    });
  return {
    ...{ confirmations, usdt, chainId: CHAIN_ID, url: anvil.url, pay },
    async configure(baseUrl, operatorToken) {
      const network = `${baseUrl}/operator/chains/${DEMO_NETWORK}`;
      await put(network, operatorToken, {
        kind: 'evm',
        chain_id: CHAIN_ID,
        name: 'Local demo chain',
        rpc_urls: [anvil.url],
        xpub,
        required_confirmations: confirmations,
        uses_finalized: false,
        poll_ms: 100,
      });
      await put(`${network}/tokens/USDT`, operatorToken, {
        contract_address: usdt,
        decimals: DECIMALS,
        min_deposit: '1',
      });
    },
    mine: () => anvil.mine(),
    async fund(address, amount) {
      await anvil.call('anvil_setBalance', [address, COINS]);
      await pay(address, amount);
      await anvil.mine();
    },
    async balanceOf(address) {
      const data = anvil.encode('balanceOf', [address]);
      return BigInt(await anvil.call<Hex>('eth_call', [{ to: usdt, data }, 'latest']));
    },
    freeze: anvil.freeze,
    thaw: anvil.thaw,
    stop: () => anvil.stop(),
  };
}
