/** What a deposit address is shown with, in one statement: network, watcher, token and address. */
import { type Db, defineStatement, execute } from '../db/index.ts';
import { isUnwatched, type WatcherRow } from './describe-networks.ts';
import { type DepositAddress, selectAddress } from './issue-address.ts';
import {
  type Network,
  type NetworkRow,
  refuseNetwork,
  type Token,
  type TokenRow,
  toNetwork,
  toToken,
} from './networks.ts';

export interface DepositTarget {
  readonly network: Network;
  /** Undefined: the network does not carry the currency. */
  readonly token: Token | undefined;
  /** Undefined: none was issued so far. */
  readonly known: DepositAddress | undefined;
  /** Deposits are not seen at present. */
  readonly isDelayed: boolean;
}

type TargetRow = NetworkRow &
  WatcherRow &
  Omit<TokenRow, 'id' | 'network' | 'is_enabled'> & {
    readonly token_id: number | null;
    readonly is_token_enabled: boolean;
    readonly address: string | null;
    readonly createdAt: Date;
  };

const TARGET = defineStatement(
  'deposit_target',
  `select network.*, deposit_wallet.xpub,
    chain_state.cursor_height, chain_state.head_height, chain_state.halted_at,
    chain_state.note_code, chain_state.endpoints, chain_state.checked_at,
    token.id as token_id, token.currency, token.contract, token.decimals, token.min_deposit,
    token.is_enabled as is_token_enabled, token.distrust_reason_code, token.distrust_reason_values,
    owned.address, owned."createdAt"
  from network
    join chain_state on chain_state.network = network.code
    left join deposit_wallet on deposit_wallet.id = network.wallet_id
    left join token on token.network = network.code and token.currency = :currency
    left join lateral (${selectAddress('network.family', 'network.wallet_id')}) owned on true
  where network.code = :network`,
);

export interface TargetQuery {
  readonly user: number;
  readonly network: string;
  readonly currency: string;
}

/** @throws `invalid_parameter` with the list of networks */
export async function findDepositTarget(
  db: Db,
  query: TargetQuery,
  now: Date,
): Promise<DepositTarget> {
  const [row] = (await execute<TargetRow>(db, TARGET, { ...query })).rows;
  if (!row) return refuseNetwork(db, 'currencyNetWork');
  const network = toNetwork(row);
  const { token_id: id, is_token_enabled: is_enabled, address, createdAt } = row;
  return {
    network,
    token: id === null ? undefined : toToken({ ...row, id, network: row.code, is_enabled }),
    known: address === null || network.xpub === undefined ? undefined : { address, createdAt },
    isDelayed: isUnwatched(network, row, now),
  };
}
