/** The endpoints of a network's configuration. The chain libraries are loaded at first use. */
import type { MasterKey } from '../master-key.ts';
import type { ChainNode } from './chains/chain.ts';
import { EndpointPool } from './chains/endpoint-pool.ts';
import { decryptUrls } from './encrypted-urls.ts';
import type { Network } from './networks.ts';
import { redactUrl } from './validate-chain-config.ts';

/** Creates the clients of a network's endpoints, preferred first; none before it is configured. */
export async function createChainNodes(
  masterKey: MasterKey,
  network: Network,
): Promise<ChainNode[]> {
  if (network.rpcUrlsSealed === undefined) return [];
  const urls = decryptUrls(masterKey, network.rpcUrlsSealed);
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

/** A pool of a network's endpoints, whose heads have been read. */
export async function probeChainNodes(
  masterKey: MasterKey,
  network: Network,
): Promise<EndpointPool> {
  const pool = new EndpointPool(await createChainNodes(masterKey, network));
  await pool.refresh();
  return pool;
}
