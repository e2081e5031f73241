/** Whether the chain has spent an output. */
import type { BlockRef, Output } from '../chain.ts';
import { parseCount, parseObject, parseText } from '../fields.ts';
import { callUnlessRefused, type JsonRpc } from '../json-rpc.ts';

const NOT_FOUND = -5;
const HASH = /^[0-9a-f]{64}$/;

type Tip = Pick<BlockRef, 'height' | 'hash'>;

async function readTip(rpc: JsonRpc): Promise<Tip> {
  const { blocks, bestblockhash } = parseObject(
    await rpc.call('getblockchaininfo', []),
    'chain info',
  );
  return {
    height: parseCount(blocks, 'chain.blocks'),
    hash: parseText(HASH, bestblockhash, 'chain.bestblockhash'),
  };
}

/** True for a transaction in a block of the chain, by an index that knows the whole chain. */
async function isInChain(rpc: JsonRpc, txHash: string, { height }: Tip): Promise<boolean> {
  const index = parseObject(await rpc.call('getindexinfo', []), 'index info');
  const { synced, best_block_height } = parseObject(index.txindex ?? {}, 'index info.txindex');
  if (synced !== true || Number(best_block_height) < height) return false;
  const answer = await callUnlessRefused(rpc, 'getrawtransaction', [txHash, true], [NOT_FOUND]);
  if (answer === undefined) return false;
  return Number(parseObject(answer, 'transaction').confirmations ?? 0) > 0;
}

/** See `ChainNode`. An output whose transaction left the chain is not spent. */
export async function readSpentAt(
  rpc: JsonRpc,
  { txHash, ordinal }: Output,
): Promise<Tip | undefined> {
  const tip = await readTip(rpc);
  if ((await rpc.call('gettxout', [txHash, ordinal, false])) !== null) return undefined;
  if (!(await isInChain(rpc, txHash, tip))) return undefined;
  return (await readTip(rpc)).hash === tip.hash ? tip : undefined;
}
