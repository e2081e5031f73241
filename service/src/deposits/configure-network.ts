/** An operator configures a network: where its nodes are, whose public key derives addresses, how deep is final. */
import { type Db, type Transaction, transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure, fieldError } from '../lib/failures.ts';
import type { MasterKey } from '../master-key.ts';
import { changeCoin } from './change-coin.ts';
import { sealUrls } from './encrypted-urls.ts';
import { findNetwork, type Network, type NetworkKind } from './networks.ts';
import { checkRpcUrls, readPublicKey, refusePrivateKey } from './validate-chain-config.ts';

/** What is left out stays as it is. */
export interface NetworkSettings {
  readonly rpcUrls?: readonly string[] | undefined;
  readonly xpub?: string | undefined;
  /** With a new public key: everyone gets a new address, on every network of the family; otherwise they keep the one they have. */
  readonly retireAddresses?: boolean | undefined;
  readonly requiredConfirmations?: number | undefined;
  readonly usesFinalized?: boolean | undefined;
  readonly reorgWindow?: number | undefined;
  readonly block_ms?: number | undefined;
  readonly poll_ms?: number | undefined;
  readonly explorerUrl?: string | undefined;
  readonly startHeight?: number | undefined;
  readonly isEnabled?: boolean | undefined;
  /** What the chain is: for networks that are not known by name. Only the coin can be corrected later. */
  readonly identity?: NetworkIdentity | undefined;
}

export interface NetworkIdentity {
  readonly kind?: NetworkKind | undefined;
  readonly name?: string | undefined;
  readonly chainId?: number | undefined;
  readonly addressPrefix?: string | undefined;
  readonly uriScheme?: string | undefined;
  readonly coin?: string | undefined;
}

export const NETWORK_CODE = /^[A-Z][A-Z0-9_]{1,31}$/;
const DEFAULT_CONFIRMATIONS = 30;
const DEFAULT_WINDOW = 512;
const EVM_BLOCK_MS = 12_000;
const UTXO_BLOCK_MS = 600_000;
const DEFAULT_POLL_MS = 3000;

/** The chain's own facts, checked: they decide which addresses and which chain are meant. */
function checkIdentity(
  code: string,
  { kind, chainId, addressPrefix, uriScheme }: NetworkIdentity,
): void {
  if (!NETWORK_CODE.test(code))
    throw fieldError(
      'network',
      'malformed',
      'must be 2 to 32 capital letters, digits and underscores',
    );
  if (kind === 'evm' && chainId === undefined)
    throw fieldError('chain_id', 'required', 'is required for an EVM network');
  if (kind === 'utxo' && !/^[a-z]{2,10}$/.test(addressPrefix ?? '')) {
    throw fieldError(
      'address_prefix',
      'required',
      'is required for a UTXO network: the first part of its bech32 addresses, for example bc',
    );
  }
  if (kind === 'utxo' && !/^[a-z]{2,20}$/.test(uriScheme ?? ''))
    throw fieldError(
      'uri_scheme',
      'required',
      'is required for a UTXO network, for example bitcoin',
    );
}

async function createNetwork(
  tx: Transaction,
  code: string,
  identity: NetworkIdentity | undefined,
): Promise<Network> {
  if (!identity?.kind)
    throw fieldError(
      'kind',
      'required',
      `is required: ${code} is not known by name, say what chain it is`,
    );
  checkIdentity(code, identity);
  const isEvm = identity.kind === 'evm';
  await tx.query(
    `insert into network (code, name, kind, family, chain_id, address_prefix, uri_scheme, coin, required_confirmations, uses_finalized, reorg_window, block_ms, poll_ms)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) on conflict do nothing`,
    [
      code,
      identity.name ?? code,
      identity.kind,
      isEvm ? 'evm' : `${identity.uriScheme}-${identity.addressPrefix}`,
      isEvm ? identity.chainId : null,
      isEvm ? null : identity.addressPrefix,
      isEvm ? 'ethereum' : identity.uriScheme,
      identity.coin ?? null,
      DEFAULT_CONFIRMATIONS,
      isEvm,
      DEFAULT_WINDOW,
      isEvm ? EVM_BLOCK_MS : UTXO_BLOCK_MS,
      DEFAULT_POLL_MS,
    ],
  );
  const network = await findNetwork(tx, code);
  if (!network)
    throw failure('chain_id_taken', {
      detail: `Another network has the chain id ${identity.chainId}.`,
    });
  await tx.query('insert into chain_state (network) values ($1) on conflict do nothing', [code]);
  return network;
}

/** Facts of a chain do not change: what would be ignored is refused. @throws `invalid_parameter` */
function checkSameChain(network: Network, identity: NetworkIdentity): void {
  const facts: [field: string, given: unknown, present: unknown][] = [
    ['kind', identity.kind, network.kind],
    ['name', identity.name, network.name],
    ['chain_id', identity.chainId, network.chainId],
    ['address_prefix', identity.addressPrefix, network.addressPrefix],
    ['uri_scheme', identity.uriScheme, network.uriScheme],
  ];
  for (const [field, given, present] of facts) {
    if (given !== undefined && given !== present)
      throw fieldError(
        field,
        'not_allowed',
        `cannot be changed: ${network.code} has ${present ?? 'none'}`,
      );
  }
}

/** The network as it is configured already, its coin corrected if need be. */
async function findSameNetwork(
  tx: Transaction,
  clock: Clock,
  code: string,
  identity: NetworkIdentity | undefined,
): Promise<Network | undefined> {
  const network = await findNetwork(tx, code);
  if (!network || !identity) return network;
  checkSameChain(network, identity);
  if (identity.coin !== undefined) await changeCoin(tx, clock, network, identity.coin);
  return network;
}

async function findOrCreateWallet(
  tx: Transaction,
  clock: Clock,
  family: string,
  xpub: string,
): Promise<number> {
  await tx.query(
    'insert into deposit_wallet (family, xpub, created_at) values ($1, $2, $3) on conflict do nothing',
    [family, xpub, clock.now()],
  );
  const { rows } = await tx.query<{ id: number }>(
    'select id from deposit_wallet where family = $1 and xpub = $2',
    [family, xpub],
  );
  if (!rows[0]) throw new Error('the wallet was not stored');
  return rows[0].id;
}

/** Addresses of all other keys of a family stay watched and are given out no more, on any of its networks. */
async function retireOthers(
  tx: Transaction,
  clock: Clock,
  family: string,
  walletId: number,
): Promise<void> {
  await tx.query(
    'update deposit_wallet set retired_at = case when id = $2 then null else coalesce(retired_at, $3) end where family = $1',
    [family, walletId, clock.now()],
  );
  await tx.query('update network set wallet_id = $2 where family = $1 and wallet_id is not null', [
    family,
    walletId,
  ]);
}

/** The wallet of a public key, if one is given. */
async function chooseWallet(
  tx: Transaction,
  clock: Clock,
  family: string,
  xpub: string | undefined,
  retires: boolean,
): Promise<number | undefined> {
  if (xpub === undefined) {
    if (retires) throw fieldError('retire_addresses', 'incomplete', 'needs the new xpub');
    return undefined;
  }
  const walletId = await findOrCreateWallet(tx, clock, family, xpub);
  if (retires) await retireOthers(tx, clock, family, walletId);
  return walletId;
}

const UPDATE = `update network set
    wallet_id = coalesce($2, wallet_id), rpc_urls_sealed = coalesce($3, rpc_urls_sealed),
    required_confirmations = coalesce($4, required_confirmations), uses_finalized = coalesce($5, uses_finalized),
    reorg_window = coalesce($6, reorg_window), block_ms = coalesce($7, block_ms), poll_ms = coalesce($8, poll_ms),
    explorer_url = coalesce($9, explorer_url), start_height = coalesce($10, start_height), is_enabled = $11
  where code = $1`;

/** In the order of the statement; null keeps what is there. */
function toColumns(settings: NetworkSettings): unknown[] {
  const {
    requiredConfirmations,
    usesFinalized,
    reorgWindow,
    block_ms,
    poll_ms,
    explorerUrl,
    startHeight,
  } = settings;
  return [
    requiredConfirmations,
    usesFinalized,
    reorgWindow,
    block_ms,
    poll_ms,
    explorerUrl,
    startHeight,
  ].map((value) => value ?? null);
}

/** What is kept as the operator wrote it. */
function textsOf({
  explorerUrl,
  identity,
}: NetworkSettings): [field: string, text: string | undefined][] {
  return [
    ['explorer_url', explorerUrl],
    ['name', identity?.name],
    ['address_prefix', identity?.addressPrefix],
    ['uri_scheme', identity?.uriScheme],
  ];
}

/** A window shallower than the confirmations would forget blocks whose deposits are still waiting. */
function checkWindow(network: Network, settings: NetworkSettings): void {
  const confirmations = settings.requiredConfirmations ?? network.requiredConfirmations;
  const window = settings.reorgWindow ?? network.reorgWindow;
  if (window <= confirmations)
    throw fieldError(
      'reorg_window',
      'too_small',
      `must be more than the ${confirmations} confirmations`,
    );
}

/**
 * Configures a network. It is enabled once it has nodes and a public key, unless `isEnabled` says otherwise.
 * @throws `invalid_parameter` for private keys and for what does not fit together
 */
export async function configureNetwork(
  db: Db,
  clock: Clock,
  masterKey: MasterKey,
  code: string,
  settings: NetworkSettings,
): Promise<Network> {
  checkRpcUrls(settings.rpcUrls ?? []);
  for (const [field, text] of textsOf(settings)) refusePrivateKey(text ?? '', field);
  const xpub = settings.xpub === undefined ? undefined : await readPublicKey(settings.xpub);
  return transaction(db, async (tx) => {
    const network =
      (await findSameNetwork(tx, clock, code, settings.identity)) ??
      (await createNetwork(tx, code, settings.identity));
    checkWindow(network, settings);
    const walletId = await chooseWallet(
      tx,
      clock,
      network.family,
      xpub,
      settings.retireAddresses ?? false,
    );
    const sealed =
      settings.rpcUrls && settings.rpcUrls.length > 0
        ? sealUrls(masterKey, settings.rpcUrls)
        : undefined;
    const isComplete =
      (walletId ?? network.walletId) !== undefined &&
      (sealed ?? network.rpcUrlsSealed) !== undefined;
    if (settings.isEnabled && !isComplete)
      throw fieldError(
        'is_enabled',
        'incomplete',
        'cannot be true before rpc_urls and xpub are set',
      );
    await tx.query(UPDATE, [
      code,
      walletId ?? null,
      sealed ?? null,
      ...toColumns(settings),
      settings.isEnabled ?? isComplete,
    ]);
    await tx.query("select pg_notify('networks', $1)", [code]);
    return (await findNetwork(tx, code)) ?? network;
  });
}
