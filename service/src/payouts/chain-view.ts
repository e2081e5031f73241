/** The service's own view of a chain, for one run over the payouts of its network. */
import {
  type ChainNode,
  type EndpointPool,
  hasQuorum,
  type Network,
  probeChainNodes,
  queryBlockHashes,
} from '../deposits/index.ts';
import type { MasterKey } from '../master-key.ts';

export interface ChainView {
  readonly network: Network;
  readonly node: ChainNode;
  readonly pool: EndpointPool;
  readonly height: number;
  /** Of a network that waits for the chain's own mark. */
  readonly finalizedHeight: number | undefined;
  /** Transactions that a wallet has sent up to the deep height, by wallet, once read. */
  readonly sentCounts: Map<string, Promise<number | undefined>>;
}

interface Block {
  readonly height: number;
  readonly hash: string;
}

export async function openChainView(masterKey: MasterKey, network: Network): Promise<ChainView> {
  const pool = await probeChainNodes(masterKey, network);
  const { node, head } = pool.pick();
  const { height, finalizedHeight } = head;
  return {
    network,
    node,
    pool,
    height,
    finalizedHeight: network.usesFinalized ? (finalizedHeight ?? 0) : undefined,
    sentCounts: new Map(),
  };
}

/** Highest block that is deep enough to confirm a payout. */
export const deepHeight = ({ network, height, finalizedHeight }: ChainView): number =>
  Math.min(height - network.requiredConfirmations + 1, finalizedHeight ?? height);

/**
 * Highest block that no reorganisation replaces: the chain itself calls it final, or it has left
 * the reorganisation window, so that a deeper one halts the network.
 */
export function finalHeight(view: ChainView): number {
  const { network, height, finalizedHeight } = view;
  return finalizedHeight === undefined ? height - network.reorgWindow : deepHeight(view);
}

/** No other endpoint denies the block, and one that answers has it. */
export async function isAgreed({ pool, node }: ChainView, block: Block): Promise<boolean> {
  const [votes = []] = await queryBlockHashes(pool.listWitnesses(node), [block]);
  return hasQuorum(votes);
}
