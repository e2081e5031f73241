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
  /** Null in all columns of the token: the address received nothing on the network. */
  currency: string | null;
  contract: string | null;
  decimals: number;
}

/** Many of them have received nothing on the network. */
const ADDRESSES_MAX = 2000;
/** Balances that an RPC endpoint is asked for at once. */
const BALANCES_MAX = 200;

/**
 * The next addresses, once for each listed token of the network that they ever received. The page
 * is made of addresses: whatever the planner knows, it reads the deposits of these alone.
 */
const LIST_HOLDINGS = defineStatement(
  'deposit_holdings',
  `select a.id as address_id, a.address, a.derivation_index, w.xpub,
     t.currency, t.contract, coalesce(t.decimals, 0) as decimals
   from (select id, address, derivation_index, wallet_id from deposit_address
     where id > :after order by id limit ${ADDRESSES_MAX}) as a
   join deposit_wallet w on w.id = a.wallet_id
   left join lateral (select distinct token_id from deposit
     where address_id = a.id and token_id is not null) as received on true
   left join token t on t.id = received.token_id and t.network = :network
   order by a.id, t.id`,
);

type Holding = HoldingRow & { readonly currency: string };

/** What the addresses of a network have received, in parts of one question to an endpoint. */
async function* listHoldings(db: Db, network: string): AsyncGenerator<Holding[], void, void> {
  let after: number | undefined = 0;
  while (after !== undefined) {
    const { rows }: { rows: HoldingRow[] } = await execute(db, LIST_HOLDINGS, { network, after });
    const held = rows.filter((row): row is Holding => row.currency !== null);
    for (let at = 0; at < held.length; at += BALANCES_MAX) yield held.slice(at, at + BALANCES_MAX);
    after = rows.at(-1)?.address_id;
  }
}

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
  for await (const holdings of listHoldings(db, code)) {
    const balances = await endpoint.node.readBalances(
      holdings.map(({ address, contract }) => ({ address, contract: contract ?? undefined })),
    );
    for (const [at, row] of holdings.entries()) {
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
  }
}
