/** Runs code on a chain that the operator has configured, for others to decide by its result. */
import type { Db } from '../db/index.ts';
import type { MasterKey } from '../master-key.ts';
import { createChainNodes } from './chain-nodes.ts';
import { RpcError } from './chains/json-rpc.ts';
import { listNetworks } from './networks.ts';

/**
 * The result on which all endpoints of the chain that answer agree: a person may get in by it, so
 * no single one decides. Undefined: they do not agree, none answers, or there is no such network.
 */
export async function runOnChain(
  db: Db,
  masterKey: MasterKey,
  chainId: number,
  code: string,
): Promise<string | undefined> {
  const network = (await listNetworks(db)).find((known) => known.chainId === chainId);
  if (!network) return undefined;
  const nodes = await createChainNodes(masterKey, network);
  const answers = await Promise.all(
    nodes.map(async (node) => {
      try {
        await node.checkIdentity();
        return { result: await node.runCode(code) };
      } catch (error) {
        if (error instanceof RpcError) return undefined;
        throw error;
      }
    }),
  );
  const results = new Set(answers.flatMap((answer) => (answer ? [answer.result] : [])));
  return results.size === 1 ? [...results][0] : undefined;
}
