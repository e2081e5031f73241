/** Networks and tokens as the operator configured them. */
import { type Db, defineStatement, execute } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { type CodedMessage, fromColumns } from '../lib/coded-messages.ts';
import { failure, fieldError } from '../lib/failures.ts';

export type NetworkKind = 'evm' | 'utxo';

export interface Network {
  readonly code: string;
  readonly name: string;
  readonly kind: NetworkKind;
  /** Networks of one family share addresses. */
  readonly family: string;
  readonly chainId: number | undefined;
  readonly addressPrefix: string | undefined;
  readonly uriScheme: string;
  /** Currency of the chain's own coin, where it is known. */
  readonly coin: string | undefined;
  readonly requiredConfirmations: number;
  readonly usesFinalized: boolean;
  readonly reorgWindow: number;
  readonly block_ms: number;
  readonly poll_ms: number;
  /** Page of a transaction, with `{tx}` in place of its hash. */
  readonly explorerUrl: string | undefined;
  readonly walletId: number | undefined;
  readonly xpub: string | undefined;
  readonly rpcUrlsSealed: string | undefined;
  readonly isEnabled: boolean;
  readonly startHeight: number | undefined;
}

/** A network, and the clock of the process that works on it. */
export interface ChainContext {
  readonly network: Network;
  readonly clock: Clock;
}

export interface Token {
  readonly id: number;
  readonly network: string;
  readonly currency: string;
  /** Lower case; absent: the chain's own coin. */
  readonly contract: string | undefined;
  readonly decimals: number;
  readonly minDeposit: bigint;
  readonly isEnabled: boolean;
  readonly distrustReason: CodedMessage | undefined;
}

export interface NetworkRow {
  code: string;
  name: string;
  kind: NetworkKind;
  family: string;
  chain_id: number | null;
  address_prefix: string | null;
  uri_scheme: string;
  coin: string | null;
  required_confirmations: number;
  uses_finalized: boolean;
  reorg_window: number;
  block_ms: number;
  poll_ms: number;
  explorer_url: string | null;
  wallet_id: number | null;
  xpub: string | null;
  rpc_urls_sealed: string | null;
  is_enabled: boolean;
  start_height: number | null;
}

export function toNetwork(row: NetworkRow): Network {
  return {
    code: row.code,
    name: row.name,
    kind: row.kind,
    family: row.family,
    chainId: row.chain_id ?? undefined,
    addressPrefix: row.address_prefix ?? undefined,
    uriScheme: row.uri_scheme,
    coin: row.coin ?? undefined,
    requiredConfirmations: row.required_confirmations,
    usesFinalized: row.uses_finalized,
    reorgWindow: row.reorg_window,
    block_ms: row.block_ms,
    poll_ms: row.poll_ms,
    explorerUrl: row.explorer_url ?? undefined,
    walletId: row.wallet_id ?? undefined,
    xpub: row.xpub ?? undefined,
    rpcUrlsSealed: row.rpc_urls_sealed ?? undefined,
    isEnabled: row.is_enabled,
    startHeight: row.start_height ?? undefined,
  };
}

export interface TokenRow {
  id: number;
  network: string;
  currency: string;
  contract: string | null;
  decimals: number;
  min_deposit: string;
  is_enabled: boolean;
  distrust_reason_code: string | null;
  distrust_reason_values: CodedMessage['values'] | null;
}

export function toToken(row: TokenRow): Token {
  return {
    id: row.id,
    network: row.network,
    currency: row.currency,
    contract: row.contract ?? undefined,
    decimals: row.decimals,
    minDeposit: BigInt(row.min_deposit),
    isEnabled: row.is_enabled,
    distrustReason: fromColumns(row.distrust_reason_code, row.distrust_reason_values),
  };
}

const NETWORKS = `select network.*, deposit_wallet.xpub from network
  left join deposit_wallet on deposit_wallet.id = network.wallet_id`;

/** All networks, configured or not. */
export async function listNetworks(db: Db): Promise<Network[]> {
  const { rows } = await db.query<NetworkRow>(`${NETWORKS} order by network.code`);
  return rows.map(toNetwork);
}

/** @returns the network with a code, or undefined */
export async function findNetwork(db: Db, code: string): Promise<Network | undefined> {
  const { rows } = await db.prepared<NetworkRow>('network', `${NETWORKS} where network.code = $1`, [
    code,
  ]);
  return rows[0] && toNetwork(rows[0]);
}

/** Says which networks there are. @throws `invalid_parameter` */
export async function refuseNetwork(db: Db, field: string): Promise<never> {
  const codes = (await listNetworks(db)).map((known) => known.code);
  throw fieldError(field, 'unknown_network', `must be one of ${codes.join(', ')}`);
}

/** The network with a code. @throws `invalid_parameter` with the list of codes */
export async function requireNetwork(db: Db, code: string, field: string): Promise<Network> {
  return (await findNetwork(db, code)) ?? refuseNetwork(db, field);
}

/** The network with a code. @throws `not_found` */
export async function requireNetworkInPath(db: Db, code: string): Promise<Network> {
  const network = await findNetwork(db, code);
  if (!network) throw failure('not_found', { detail: 'There is no network with this code.' });
  return network;
}

/** The tokens of a network, disabled ones included. */
export async function listTokens(db: Db, network: string): Promise<Token[]> {
  const { rows } = await db.query<TokenRow>('select * from token where network = $1 order by id', [
    network,
  ]);
  return rows.map(toToken);
}

const FIND_TOKEN = defineStatement(
  'token',
  'select * from token where network = :network and currency = :currency',
);

/** The token that carries a currency on a network. */
export async function findToken(
  db: Db,
  network: string,
  currency: string,
): Promise<Token | undefined> {
  const { rows } = await execute<TokenRow>(db, FIND_TOKEN, { network, currency });
  return rows[0] && toToken(rows[0]);
}

/** Networks of a currency: the values of `currencyNetWork`, and those that issue addresses now. */
export interface CurrencyNetworks {
  readonly networks: readonly string[];
  readonly open: readonly string[];
  /** The display name of each network, by its code. */
  readonly names: Readonly<Record<string, string>>;
}

export async function listCurrencyNetworks(db: Db): Promise<Map<string, CurrencyNetworks>> {
  const { rows } = await db.query<CurrencyNetworks & { currency: string }>(
    `select token.currency, array_agg(network.code order by network.code) as networks,
       coalesce(array_agg(network.code order by network.code)
         filter (where network.is_enabled), '{}') as open,
       json_object_agg(network.code, network.name) as names
     from token join network on network.code = token.network
     where token.is_enabled group by token.currency`,
  );
  return new Map(rows.map(({ currency, ...networks }) => [currency, networks]));
}
