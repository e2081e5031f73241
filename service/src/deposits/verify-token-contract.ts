/** Verifies the decimals of a token with its contract, before its transfers count as money. */
import { failure } from '../lib/failures.ts';
import type { MasterKey } from '../master-key.ts';
import { createChainNodes } from './chain-nodes.ts';
import { RpcError } from './chains/json-rpc.ts';
import { checkContract } from './configure-token.ts';
import type { Network } from './networks.ts';

/** @throws `token_mismatch` when the contract answers other decimals, or none */
export type VerifyToken = (
  network: Network,
  contract: string | undefined,
  decimals: number,
) => Promise<void>;

/** Passes when no endpoint answers: the watcher verifies again before it credits a deposit. */
export function createTokenVerifier(masterKey: MasterKey): VerifyToken {
  return async (network, contract, decimals) => {
    await checkContract(network, contract);
    if (contract === undefined) return;
    for (const node of await createChainNodes(masterKey, network)) {
      try {
        const answered = await node.readDecimals(contract);
        if (answered === decimals) return;
        const says =
          answered === undefined ? 'is no token: it has no decimals' : `has ${answered} decimals`;
        throw failure('token_mismatch', {
          detail: `The contract ${contract} on ${network.code} ${says}.`,
          extra: { contract_decimals: answered ?? null },
        });
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
      }
    }
  };
}
