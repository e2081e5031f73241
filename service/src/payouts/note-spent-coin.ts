/** Proves on a UTXO chain that no transaction of a payout can come: its coin is spent. */
import type { Db } from '../db/index.ts';
import type { ChainNode } from '../deposits/index.ts';
import type { ChainView } from './chain-view.ts';
import { noteUsedInBlock } from './note-used-in-block.ts';
import type { PayoutRow } from './queries.ts';

type Coin = Parameters<ChainNode['readSpentAt']>[0];

function parseCoin(text: string): Coin {
  const [txHash = '', ordinal = ''] = text.split(':');
  return { txHash, ordinal: Number(ordinal) };
}

/** By a witness. Undefined: it does not answer. */
async function isSpent(node: ChainNode, coin: Coin): Promise<boolean | undefined> {
  try {
    return (await node.readSpentAt(coin)) !== undefined;
  } catch {
    return undefined;
  }
}

/**
 * Notes the block at which the coin is spent, none of the payout's transactions being in the chain,
 * to wait until that block is final.
 */
export async function noteSpentCoin(db: Db, view: ChainView, payout: PayoutRow): Promise<void> {
  if (payout.coin === null) return;
  const { node, pool } = view;
  const coin = parseCoin(payout.coin);
  const block = await node.readSpentAt(coin);
  if (!block) return;
  const votes = await Promise.all(
    pool.listWitnesses(node).map((witness) => isSpent(witness, coin)),
  );
  const isAgreed = votes.includes(true) || votes.every((vote) => vote === undefined);
  if (votes.includes(false) || !isAgreed) return;
  await noteUsedInBlock(db, payout.id, block);
}
