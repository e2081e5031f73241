/** Spends a coin that a lost state had given away, so that its transaction can never come. */
import type { PrivateKey } from '../key-file.ts';
import type { UtxoConfig } from './config.ts';
import { UtxoNode } from './node.ts';
import { UtxoState } from './state.ts';
import { UtxoWallet } from './wallet.ts';

export interface UseCoinOrder {
  readonly config: UtxoConfig;
  readonly key: PrivateKey;
  /** Hash of the transaction, a colon, number of the output. */
  readonly coin: string;
}

/**
 * Gives the coin back to the wallet, at the highest fee rate of the configuration, as it may have
 * to replace a transaction.
 * @returns the hash of the transaction
 * @throws Error for a coin that is spent, or that the state has given to a payout
 */
export async function useCoin({ config, key, coin: name }: UseCoinOrder): Promise<string> {
  const wallet = new UtxoWallet(key, config);
  const node = new UtxoNode(config.rpc_url);
  await node.checkChain(wallet.chain, wallet.address);
  const state = new UtxoState(config.state_file, wallet.address);
  try {
    const { coins } = await node.scan(wallet.address);
    const coin = coins.find(({ txid, vout }) => `${txid}:${vout}` === name);
    if (!coin) throw new Error(`the wallet has no coin ${name}, or it is spent`);
    if (state.isTaken(coin)) throw new Error(`the state has given the coin ${name} to a payout`);
    const { txid, raw } = wallet.giveBack(coin, config.fee_rate_max);
    state.noteOutside([{ tx_hash: txid, coin: name }]);
    await node.send([raw]);
    return txid;
  } finally {
    state.close();
  }
}
