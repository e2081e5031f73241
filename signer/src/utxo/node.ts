/** The signer's own node of the Bitcoin family. It needs `txindex=1`, and no wallet. */
import { createRpc, type Rpc, RpcError } from '../rpc.ts';

/** An output of the hot wallet. */
export interface Coin {
  readonly txid: string;
  readonly vout: number;
  readonly amount: bigint;
}

export type Outpoint = Pick<Coin, 'txid' | 'vout'>;

export interface Tip {
  readonly hash: string;
  readonly height: number;
}

/** An output that no block has spent. */
export interface Unspent {
  readonly confirmations: number;
  readonly coinbase: boolean;
}

interface Input {
  readonly txid?: string;
  readonly vout?: number;
  readonly txinwitness?: readonly string[];
}

interface RawTransaction {
  readonly vin: readonly Input[];
  readonly vout: readonly { readonly scriptPubKey: { readonly hex: string } }[];
}

const READ_AT_ONCE = 200;
const SCALE = 8;
const NOT_FOUND = -5;
const SCAN_TIMEOUT_MS = 600_000;

/** Coins as the node prints them, in the smallest unit. @throws Error for what is none */
function parseCoins(value: unknown): bigint {
  const text = typeof value === 'number' ? value.toFixed(SCALE) : '';
  if (!/^\d+\.\d{8}$/.test(text) || Number(text) !== value)
    throw new RpcError(`the node reported the amount ${String(value)}`);
  return BigInt(text.replace('.', ''));
}

const orThrow = <T>(result: unknown): T => {
  if (result instanceof RpcError) throw result;
  return result as T;
};

/** Undefined for what the node does not know. */
const orUnknown = <T>(result: unknown): T | undefined =>
  result instanceof RpcError && result.code === NOT_FOUND ? undefined : orThrow<T>(result);

export class UtxoNode {
  readonly #rpc: Rpc;
  readonly #scanRpc: Rpc;

  constructor(url: string, send?: typeof fetch) {
    this.#rpc = createRpc(url, send);
    this.#scanRpc = createRpc(url, send, SCAN_TIMEOUT_MS);
  }

  /** @throws Error for a node of another chain, or one without the index of transactions */
  async checkChain(chain: string, ownAddress: string): Promise<void> {
    const info = (await this.#rpc.call('getblockchaininfo', [])) as { chain: string };
    const own = (await this.#rpc.call('validateaddress', [ownAddress])) as { isvalid: boolean };
    if (info.chain !== chain || !own.isvalid)
      throw new Error(`the node is of another chain, or of the chain ${info.chain}`);
    await this.readIndexedHeight();
  }

  /** Height up to which transactions are indexed. @throws Error without a complete index */
  async readIndexedHeight(): Promise<number> {
    const { txindex } = (await this.#rpc.call('getindexinfo', [])) as {
      txindex?: { synced: boolean; best_block_height: number };
    };
    if (!txindex?.synced)
      throw new Error('the node needs txindex=1, and an index that is complete');
    return txindex.best_block_height;
  }

  async readTip(): Promise<Tip> {
    const info = (await this.#rpc.call('getblockchaininfo', [])) as {
      blocks: number;
      bestblockhash: string;
    };
    return { hash: info.bestblockhash, height: info.blocks };
  }

  /** All outputs of an address that the chain has not spent: reads the whole set of outputs. */
  async scan(address: string): Promise<{ coins: Coin[]; tip: string }> {
    const found = (await this.#scanRpc.call('scantxoutset', ['start', [`addr(${address})`]])) as {
      success: boolean;
      bestblock: string;
      unspents: readonly { txid: string; vout: number; amount: number }[];
    };
    if (!found.success) throw new Error('the node has not scanned its set of outputs');
    const coins = found.unspents.map(({ txid, vout, amount }) => {
      return { txid, vout, amount: parseCoins(amount) };
    });
    return { coins, tip: found.bestblock };
  }

  /** Undefined for an output that is spent, or of a transaction that no block contains. */
  async readUnspent(
    outpoints: readonly Outpoint[],
    { withPool }: { readonly withPool: boolean },
  ): Promise<(Unspent | undefined)[]> {
    const calls = outpoints.map(({ txid, vout }) => {
      return { method: 'gettxout', params: [txid, vout, withPool] };
    });
    return (await this.#rpc.batch(calls)).map((result) => orThrow<Unspent>(result) ?? undefined);
  }

  /** Those of the transactions that spend a coin of a P2WPKH address, by its key and script. */
  async listSpending(
    hashes: readonly string[],
    { publicKey, script }: { readonly publicKey: string; readonly script: string },
  ): Promise<string[]> {
    const found = new Set<string>();
    for (const [at, transaction] of (await this.#readTransactions(hashes)).entries()) {
      const inputs = transaction?.vin.filter((input) => input.txinwitness?.[1] === publicKey) ?? [];
      // Witnesses of other kinds of addresses can show the key as well.
      const spent = await this.#readTransactions(inputs.map(({ txid = '' }) => txid));
      const isOwn = ({ vout = 0 }: Input, input: number): boolean =>
        spent[input]?.vout[vout]?.scriptPubKey.hex === script;
      if (inputs.some(isOwn)) found.add(hashes[at] ?? '');
    }
    return [...found];
  }

  async #readTransactions(hashes: readonly string[]): Promise<(RawTransaction | undefined)[]> {
    const found: (RawTransaction | undefined)[] = [];
    for (let at = 0; at < hashes.length; at += READ_AT_ONCE) {
      const some = hashes.slice(at, at + READ_AT_ONCE);
      const calls = some.map((hash) => ({ method: 'getrawtransaction', params: [hash, true] }));
      const results = await this.#rpc.batch(calls);
      found.push(...results.map((result) => orUnknown<RawTransaction>(result)));
    }
    return found;
  }

  /** How deep transactions are; 0: in the pool, or in a block that was replaced. */
  async readDepths(hashes: readonly string[]): Promise<(number | undefined)[]> {
    const calls = hashes.map((hash) => ({ method: 'getrawtransaction', params: [hash, true] }));
    return (await this.#rpc.batch(calls)).map((result) => {
      const found = orUnknown<{ confirmations?: number }>(result);
      return found && Math.max(found.confirmations ?? 0, 0);
    });
  }

  /** Depth of a block; below 1: the chain does not contain it. */
  async readBlockDepth(hash: string): Promise<number> {
    const [result] = await this.#rpc.batch([{ method: 'getblockheader', params: [hash] }]);
    return orUnknown<{ confirmations: number }>(result)?.confirmations ?? -1;
  }

  /** The rate that the node estimates, rounded up, and not below what its pool takes. */
  async readFeeRate(target: number): Promise<number> {
    const [estimate, pool] = await this.#rpc.batch([
      { method: 'estimatesmartfee', params: [target] },
      { method: 'getmempoolinfo', params: [] },
    ]);
    const { feerate } = orThrow<{ feerate?: number }>(estimate);
    const { mempoolminfee } = orThrow<{ mempoolminfee: number }>(pool);
    // Coins a thousand bytes to the smallest unit a byte.
    const toRate = (value: number): number => Math.ceil(Number(parseCoins(value)) / 1000);
    return Math.max(toRate(mempoolminfee), feerate === undefined ? 0 : toRate(feerate));
  }

  /**
   * Sends transactions. A refusal is no error: the chain may know the transaction, or one that
   * spends the same coin; which of them, the depths tell.
   */
  async send(raws: readonly string[]): Promise<void> {
    // Without the node's own bound of fees: the configuration has one.
    const calls = raws.map((raw) => ({ method: 'sendrawtransaction', params: [raw, 0] }));
    await this.#rpc.batch(calls);
  }
}
