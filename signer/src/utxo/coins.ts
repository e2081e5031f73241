/** The coins of the hot wallet that can be spent. */
import type { Coin, UtxoNode } from './node.ts';
import type { UtxoState } from './state.ts';

/** Newly mined coins may not be spent earlier. */
const COINBASE_MATURITY = 100;
/** Any address can send dust to the wallet: only the biggest coins are looked at. */
const LOOKED_AT = 500;

interface CoinsOptions {
  readonly node: UtxoNode;
  readonly state: UtxoState;
  readonly address: string;
  /** Only coins that no reorganisation takes away are spent. */
  readonly depth: number;
}

/**
 * What the last scan of the chain found. A scan reads the whole set of outputs, which takes a node
 * up to minutes; it needs no wallet in the node, and nothing that a restart could lose.
 */
export class Coins {
  readonly #options: CoinsOptions;
  #known: Coin[] = [];
  #tip: string | undefined;

  constructor(options: CoinsOptions) {
    this.#options = options;
  }

  /** Scans, unless the chain is as it was. @returns whether it did */
  async scan(): Promise<boolean> {
    const { node, state, address } = this.#options;
    if ((await node.readTip()).hash === this.#tip) return false;
    const { coins, tip } = await node.scan(address);
    this.#known = coins
      .filter((coin) => !state.isTaken(coin))
      .sort((a, b) => (a.amount < b.amount ? 1 : -1));
    this.#tip = tip;
    return true;
  }

  /** What the last scan found, and no payout has. */
  get known(): readonly Coin[] {
    return this.#known;
  }

  /** Coins that are deep enough, and that no payout and no transaction of the pool spends. */
  async listFree(): Promise<Coin[]> {
    const { node, state, depth } = this.#options;
    const coins = this.#known.filter((coin) => !state.isTaken(coin)).slice(0, LOOKED_AT);
    const found = await node.readUnspent(coins, { withPool: true });
    return coins.filter((_coin, at) => {
      const { confirmations = 0, coinbase = false } = found[at] ?? {};
      return confirmations >= Math.max(depth, coinbase ? COINBASE_MATURITY : 0);
    });
  }
}
