/**
 * Lists the balances of deposit addresses, by asking the chain: the operator moves them with their
 * own wallet.
 */
import { type Db, defineStatement, execute } from '../db/index.ts';
import { type ExactDecimal, exactAmount } from '../lib/exact-json.ts';
import { failure } from '../lib/failures.ts';
import type { MasterKey } from '../master-key.ts';
import { probeChainNodes } from './chain-nodes.ts';
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

const HOLDINGS_MAX = 200;

/** Every address that ever received a listed token of the network, once per token; one page. */
const LIST_HOLDINGS = defineStatement(
  'deposit_holdings',
  `select a.id as address_id, a.address, a.derivation_index, w.xpub, t.id as token_id,
     t.currency, t.contract, t.decimals
   from (select distinct address_id, token_id from deposit
     where network = :network and token_id is not null
       and (address_id, token_id) > (:after_address, :after_token)
     order by address_id, token_id limit ${HOLDINGS_MAX}) as received
   join deposit_address a on a.id = received.address_id
   join deposit_wallet w on w.id = a.wallet_id
   join token t on t.id = received.token_id
   order by a.id, t.id`,
);

/** Goes through the addresses of a network; gives balances above 0. @throws `chain_unreachable` */
export async function* listUnswept(
  db: Db,
  masterKey: MasterKey,
  network: Network,
): AsyncGenerator<Unswept, void, void> {
  const { code } = network;
  const pool = await probeChainNodes(masterKey, network);
  const endpoint = pool.list().find(({ isHealthy }) => isHealthy);
  if (!endpoint) throw failure('chain_unreachable', { detail: `No node of ${code} answers.` });
  let last: HoldingRow | undefined;
  do {
    const { rows } = await execute<HoldingRow>(db, LIST_HOLDINGS, {
      network: code,
      after_address: last?.address_id ?? 0,
      after_token: last?.token_id ?? 0,
    });
    const balances = await endpoint.node.readBalances(
      rows.map(({ address, contract }) => ({ address, contract: contract ?? undefined })),
    );
    for (const [at, row] of rows.entries()) {
      const balance = balances[at] ?? 0n;
      if (balance === 0n) continue;
      yield {
        network: code,
        currency: row.currency,
        contract: row.contract ?? undefined,
        address: row.address,
        derivationPath: `0/${row.derivation_index}`,
        xpub: row.xpub,
        amount: exactAmount(balance, row.decimals),
      };
    }
    last = rows[HOLDINGS_MAX - 1];
  } while (last);
}
