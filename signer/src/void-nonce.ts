/** Uses a nonce that a lost state had given away, so that its transaction can never come. */
import type { SignerConfig } from './config.ts';
import { EvmWallet } from './evm-wallet.ts';
import type { PrivateKey } from './key-file.ts';
import { createRpc } from './rpc.ts';
import { SignerState } from './state.ts';

const GAS = 21_000;

export interface VoidOrder {
  readonly config: SignerConfig;
  readonly key: PrivateKey;
  readonly nonce: number;
}

/**
 * Sends a transaction that pays nothing, at the highest fee of the configuration, as it may have to
 * replace one.
 * @returns its hash
 * @throws Error for a nonce that is used, or that the state has given to a payout
 */
export async function voidNonce({ config, key, nonce }: VoidOrder): Promise<string> {
  const wallet = new EvmWallet(key, createRpc(config.rpc_url), config);
  await wallet.checkChain();
  const state = new SignerState(config.state_file, {
    address: wallet.address,
    chainId: config.chain_id,
  });
  try {
    if (state.hasNonce(nonce))
      throw new Error(`the state has given the nonce ${nonce} to a payout`);
    const next = await wallet.countTransactions('latest');
    if (nonce < next) throw new Error(`the nonce ${nonce} is used; the next one is ${next}`);
    const maxFee = BigInt(config.max_fee_per_gas);
    const fees = { maxFee, priorityFee: maxFee };
    const { raw, hash } = await wallet.sign(undefined, { nonce, gas: GAS, fees });
    state.noteUsed(nonce);
    await wallet.send([raw]);
    return hash;
  } finally {
    state.close();
  }
}
