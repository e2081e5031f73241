/**
 * Whether the endpoints of a chain agree about a payment. A block that all of them have proves
 * nothing about what one of them says of a transaction in it.
 */
import { isDeepStrictEqual } from 'node:util';
import { type BlockVote, type ChainNode, hasQuorum, RpcError } from '../deposits/index.ts';
import { type ChainView, isAgreed } from './chain-view.ts';
import type { FoundPayment } from './find-payment.ts';

/** What the books are written by. */
const toFacts = ({
  blockHash,
  isSuccess,
  fee,
  isToSelf,
  transfers,
}: Omit<FoundPayment, 'txHash'>) => ({
  ...{ blockHash, isSuccess, fee, isToSelf },
  paid: transfers.map(({ contract, amount }) => ({ contract, amount })),
});

async function readVote(
  node: ChainNode,
  address: string,
  payment: FoundPayment,
): Promise<BlockVote> {
  try {
    const seen = await node.readPayment(payment.txHash, address);
    if (!seen) return 'none';
    return isDeepStrictEqual(toFacts(seen), toFacts(payment)) ? 'same' : 'other';
  } catch (error) {
    if (error instanceof RpcError) return 'silent';
    throw error;
  }
}

/** No other endpoint denies the block, or says something else of what the address was paid. */
export async function isAgreedPayment(
  view: ChainView,
  address: string,
  payment: FoundPayment,
): Promise<boolean> {
  const { height, blockHash: hash } = payment;
  if (!(await isAgreed(view, { height, hash }))) return false;
  const witnesses = view.pool.listWitnesses(view.node);
  return hasQuorum(await Promise.all(witnesses.map((node) => readVote(node, address, payment))));
}
