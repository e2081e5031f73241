/** The nodes of a network as its configuration names them. The chain libraries are loaded here, at the first need. */
import type { MasterKey } from '../master-key.ts';
import type { ChainNode } from './chains/chain.ts';
import { openUrls } from './encrypted-urls.ts';
import type { Network } from './networks.ts';
import { redactUrl } from './validate-chain-config.ts';

/** Makes the clients of a network's nodes, preferred first; none when it has no addresses. */
export async function createChainNodes(
  masterKey: MasterKey,
  network: Network,
): Promise<ChainNode[]> {
  if (network.rpcUrlsSealed === undefined) return [];
  const urls = openUrls(masterKey, network.rpcUrlsSealed);
  const { chainId, usesFinalized } = network;
  if (network.kind === 'evm') {
    if (chainId === undefined) throw new Error(`${network.code} has no chain id`);
    const { createEvmNode } = await import('./chains/evm/node.ts');
    return urls.map((url) => createEvmNode({ url, label: redactUrl(url), chainId, usesFinalized }));
  }
  const { createUtxoNode } = await import('./chains/utxo/node.ts');
  return urls.map((url) =>
    createUtxoNode({ url, label: redactUrl(url), addressPrefix: network.addressPrefix ?? '' }),
  );
}
