/** Puts a signer of the Bitcoin family together. */
import type { Signer, SignerOptions } from '../open-signer.ts';
import { createServiceClient } from '../service-client.ts';
import { checkState } from './check-state.ts';
import { Coins } from './coins.ts';
import type { UtxoConfig } from './config.ts';
import { follow, resendAll } from './follow.ts';
import { UtxoNode } from './node.ts';
import { payOut, type UtxoDeps } from './signer.ts';
import { UtxoState } from './state.ts';
import { UtxoWallet } from './wallet.ts';

export function openUtxoSigner(options: SignerOptions<UtxoConfig>): Signer<UtxoDeps> {
  const { config, key, clientSecret, log, send = fetch, now = Date.now } = options;
  const wallet = new UtxoWallet(key, config);
  const { address } = wallet;
  const node = new UtxoNode(config.rpc_url, send);
  const state = new UtxoState(config.state_file, address);
  const coins = new Coins({ node, state, address, depth: config.confirmations });
  const service = createServiceClient({ config, clientSecret, signer: state.name, send });
  const deps: UtxoDeps = { config, state, service, wallet, node, coins, now, log };
  return {
    deps,
    async start() {
      await node.checkChain(wallet.chain, address);
      await checkState(deps);
      await resendAll(deps);
    },
    async cycle() {
      await payOut(deps);
      await follow(deps);
    },
    close: () => state.close(),
  };
}
