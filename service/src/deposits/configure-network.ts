/**
 * Configures a network: its RPC endpoints, the public key that derives addresses, the depth of
 * final blocks.
 */
import { type Db, defineStatement, execute, type Transaction, transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { fieldError } from '../lib/failures.ts';
import type { MasterKey } from '../master-key.ts';
import { changeCoin } from './change-coin.ts';
import { createNetwork, type NetworkIdentity } from './create-network.ts';
import { encryptUrls } from './encrypted-urls.ts';
import { findNetwork, type Network } from './networks.ts';
import { checkRpcUrls, readPublicKey, refusePrivateKey } from './validate-chain-config.ts';

/** A setting that is left out stays as it is. */
export interface NetworkSettings {
  readonly rpcUrls?: readonly string[] | undefined;
  readonly xpub?: string | undefined;
  /**
   * With a new public key: every user gets a new address, on every network of the family; otherwise
   * they keep the one they have.
   */
  readonly retireAddresses?: boolean | undefined;
  readonly requiredConfirmations?: number | undefined;
  readonly usesFinalized?: boolean | undefined;
  readonly reorgWindow?: number | undefined;
  readonly block_ms?: number | undefined;
  readonly poll_ms?: number | undefined;
  readonly explorerUrl?: string | undefined;
  readonly startHeight?: number | undefined;
  readonly isEnabled?: boolean | undefined;
  readonly identity?: NetworkIdentity | undefined;
}

/** The network as it is configured already. @throws `invalid_parameter` for another chain */
async function findSameNetwork(
  tx: Transaction,
  clock: Clock,
  code: string,
  identity: NetworkIdentity = {},
): Promise<Network | undefined> {
  const network = await findNetwork(tx, code);
  if (!network) return undefined;
  const facts: [field: string, given: unknown, present: unknown][] = [
    ['kind', identity.kind, network.kind],
    ['name', identity.name, network.name],
    ['chain_id', identity.chainId, network.chainId],
    ['address_prefix', identity.addressPrefix, network.addressPrefix],
    ['uri_scheme', identity.uriScheme, network.uriScheme],
  ];
  for (const [field, given, present] of facts) {
    if (given !== undefined && given !== present)
      throw fieldError(field, 'not_allowed', `cannot be changed: ${code} has ${present ?? 'none'}`);
  }
  if (identity.coin !== undefined) await changeCoin(tx, { network, clock }, identity.coin);
  return network;
}

const FIND_OR_ADD_KEY = defineStatement(
  'deposit_wallet_find_or_add',
  `insert into deposit_wallet (family, xpub, created_at) values (:family, :xpub, :now)
   on conflict (family, xpub) do update set xpub = excluded.xpub returning id`,
);

const RETIRE_OTHER_KEYS = defineStatement(
  'deposit_wallet_retire_others',
  `with retired as (
     update deposit_wallet
       set retired_at = case when id = :id then null else coalesce(retired_at, :now) end
       where family = :family)
   update network set wallet_id = :id where family = :family and wallet_id is not null`,
);

/**
 * The id of the account key, if one is given. Addresses of retired keys stay watched and are given
 * out no more, on any network of the family.
 */
async function chooseAccountKey(
  tx: Transaction,
  now: Date,
  family: string,
  { xpub, retireAddresses = false }: NetworkSettings,
): Promise<number | undefined> {
  if (xpub === undefined && retireAddresses)
    throw fieldError('retire_addresses', 'incomplete', 'needs the new xpub');
  if (xpub === undefined) return undefined;
  const { rows } = await execute<{ id: number }>(tx, FIND_OR_ADD_KEY, { family, xpub, now });
  const id = rows[0]?.id;
  if (retireAddresses) await execute(tx, RETIRE_OTHER_KEYS, { family, id, now });
  return id;
}

/** A column that `:changes` lacks keeps its value. */
const UPDATE_NETWORK = defineStatement(
  'network_update',
  `update network set wallet_id = changed.wallet_id, rpc_urls_sealed = changed.rpc_urls_sealed,
     required_confirmations = changed.required_confirmations,
     uses_finalized = changed.uses_finalized, reorg_window = changed.reorg_window,
     block_ms = changed.block_ms, poll_ms = changed.poll_ms,
     explorer_url = changed.explorer_url, start_height = changed.start_height,
     is_enabled = changed.is_enabled
   from (select (jsonb_populate_record(network, :changes)).* from network where code = :code)
     as changed
   where network.code = changed.code`,
);

/** @throws `invalid_parameter` */
async function checkTexts({
  rpcUrls = [],
  xpub,
  explorerUrl = '',
  identity: { name = '', addressPrefix = '', uriScheme = '' } = {},
}: NetworkSettings): Promise<string | undefined> {
  checkRpcUrls(rpcUrls);
  refusePrivateKey(explorerUrl, 'explorer_url');
  refusePrivateKey(name, 'name');
  refusePrivateKey(addressPrefix, 'address_prefix');
  refusePrivateKey(uriScheme, 'uri_scheme');
  return xpub === undefined ? undefined : readPublicKey(xpub);
}

/**
 * Configures a network. It is enabled once it has endpoints and a public key, unless `isEnabled` is
 * set.
 * @throws `invalid_parameter` for private keys and for settings that do not fit together
 */
export async function configureNetwork(
  db: Db,
  { clock, masterKey }: { readonly clock: Clock; readonly masterKey: MasterKey },
  code: string,
  settings: NetworkSettings,
): Promise<Network> {
  const xpub = await checkTexts(settings);
  const { rpcUrls = [], isEnabled, identity } = settings;
  return transaction(db, async (tx) => {
    const network =
      (await findSameNetwork(tx, clock, code, identity)) ??
      (await createNetwork(tx, code, identity));
    const confirmations = settings.requiredConfirmations ?? network.requiredConfirmations;
    // A smaller window would forget blocks whose deposits are still waiting.
    if ((settings.reorgWindow ?? network.reorgWindow) <= confirmations)
      throw fieldError(
        'reorg_window',
        'too_small',
        `must be more than the ${confirmations} confirmations`,
      );
    const keySettings = { ...settings, xpub };
    const walletId = await chooseAccountKey(tx, clock.now(), network.family, keySettings);
    const encrypted = rpcUrls.length > 0 ? encryptUrls(masterKey, rpcUrls) : undefined;
    const isComplete =
      (walletId ?? network.walletId) !== undefined &&
      (encrypted ?? network.rpcUrlsSealed) !== undefined;
    if (isEnabled && !isComplete)
      throw fieldError(
        'is_enabled',
        'incomplete',
        'cannot be true before rpc_urls and xpub are set',
      );
    const changes = {
      wallet_id: walletId,
      rpc_urls_sealed: encrypted,
      required_confirmations: settings.requiredConfirmations,
      uses_finalized: settings.usesFinalized,
      reorg_window: settings.reorgWindow,
      block_ms: settings.block_ms,
      poll_ms: settings.poll_ms,
      explorer_url: settings.explorerUrl,
      start_height: settings.startHeight,
      is_enabled: isEnabled ?? isComplete,
    };
    await execute(tx, UPDATE_NETWORK, { code, changes: JSON.stringify(changes) });
    await tx.query("select pg_notify('networks', $1)", [code]);
    return (await findNetwork(tx, code)) ?? network;
  });
}
