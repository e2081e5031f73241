/** What still lies on deposit addresses: for the operator, who moves it with their own wallet. The chain is asked. */
import type { Db } from '../db/index.ts';
import { type ExactDecimal, exactAmount } from '../lib/exact-json.ts';
import { failure } from '../lib/failures.ts';
import type { MasterKey } from '../master-key.ts';
import { createChainNodes } from './chain-nodes.ts';
import type { ChainNode } from './chains/chain.ts';
import { createEndpointPool } from './chains/endpoint-pool.ts';
import { RpcError } from './chains/json-rpc.ts';
import type { Network } from './networks.ts';

export interface Unswept {
  readonly network: string;
  readonly currency: string;
  readonly contract: string | undefined;
  readonly address: string;
  /** Below the account key, which `xpub` names. */
  readonly derivationPath: string;
  readonly xpub: string;
  readonly amount: ExactDecimal;
}

interface HoldingRow {
  address_id: number;
  address: string;
  derivation_index: number;
  xpub: string;
  token_id: number;
  currency: string;
  contract: string | null;
  decimals: number;
}

const AT_ONCE = 200;

/** Every address that ever received a listed token here, once per token; the next ones after a place. */
const HOLDINGS = `select a.id as address_id, a.address, a.derivation_index, w.xpub, t.id as token_id, t.currency, t.contract, t.decimals
  from (select distinct address_id, token_id from deposit where network = $1 and token_id is not null and (address_id, token_id) > ($2, $3)
    order by address_id, token_id limit ${AT_ONCE}) as held
  join deposit_address a on a.id = held.address_id join deposit_wallet w on w.id = a.wallet_id join token t on t.id = held.token_id
  order by a.id, t.id`;

async function pickNode(masterKey: MasterKey, network: Network): Promise<ChainNode> {
  const pool = createEndpointPool(await createChainNodes(masterKey, network));
  await pool.refresh();
  try {
    return pool.pick().node;
  } catch (error) {
    if (error instanceof RpcError)
      throw failure('chain_unreachable', {
        detail: `No node of ${network.code} answers.`,
        cause: error,
      });
    throw error;
  }
}

/** Goes through the addresses of a network and gives those that hold something. @throws `chain_unreachable` */
export async function* listUnswept(
  db: Db,
  masterKey: MasterKey,
  network: Network,
): AsyncGenerator<Unswept, void, void> {
  const node = await pickNode(masterKey, network);
  let after = [0, 0];
  for (;;) {
    const { rows } = await db.query<HoldingRow>(HOLDINGS, [network.code, ...after]);
    const balances = await node.readBalances(
      rows.map(({ address, contract }) => ({ address, contract: contract ?? undefined })),
    );
    for (const [at, row] of rows.entries()) {
      const balance = balances[at] ?? 0n;
      if (balance === 0n) continue;
      yield {
        network: network.code,
        currency: row.currency,
        contract: row.contract ?? undefined,
        address: row.address,
        derivationPath: `0/${row.derivation_index}`,
        xpub: row.xpub,
        amount: exactAmount(balance, row.decimals),
      };
    }
    const last = rows.at(-1);
    if (!last || rows.length < AT_ONCE) return;
    after = [last.address_id, last.token_id];
  }
}
