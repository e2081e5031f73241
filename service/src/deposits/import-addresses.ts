/**
 * Deposit addresses that come from another system. One that derives from an account key is verified
 * by deriving it. Others are watched as those of a retired key are: what is sent to them is
 * credited, and their owners get an address of the network's own key.
 */
import { plainArray, queryNamed, type Transaction, textArray } from '../db/index.ts';
import { fieldError } from '../lib/failures.ts';
import { deriveAddress } from './derive-address.ts';
import type { Network } from './networks.ts';
import { parseAddress } from './parse-address.ts';
import { readPublicKey } from './validate-chain-config.ts';

/** In the place of the account key, for addresses that do not derive from one. */
export const SINGLE_ADDRESSES = 'single addresses';

const INDEX_MAX = 2 ** 31 - 1;

export interface ImportedAddress {
  readonly userId: number;
  readonly family: string;
  readonly address: string;
  readonly xpub: string | null;
  readonly derivationIndex: number | null;
  /** RFC 3339. */
  readonly createdAt: string;
}

export interface AddressClaim {
  readonly address: string;
  readonly xpub: string | null;
  readonly derivationIndex: number | null;
}

/**
 * Checks an address by its checksum and its account key.
 * @returns the account key with the prefix `xpub`
 * @throws `invalid_parameter`
 */
export async function checkImportedAddress(
  network: Network,
  { address, xpub, derivationIndex }: AddressClaim,
): Promise<string | null> {
  if ((await parseAddress(network, address)) !== address)
    throw fieldError('address', 'checksum', `is no address of ${network.code} with its checksum`);
  if (xpub === null) return null;
  const key = await readPublicKey(xpub);
  const index = derivationIndex ?? -1;
  if (index < 0 || index > INDEX_MAX)
    throw fieldError('derivation_index', 'out_of_range', `must be from 0 to ${INDEX_MAX}`);
  if (deriveAddress(key, index, network) !== address)
    throw fieldError('address', 'not_derived', 'does not derive from xpub at this index');
  return key;
}

const ADD_WALLET = `insert into deposit_wallet (family, xpub, created_at, retired_at)
  values (:family, :xpub, :now, :retired) on conflict (family, xpub) do update
    set xpub = excluded.xpub
  returning id, next_index`;

const SAVE_INDEX =
  'update deposit_wallet set next_index = :next_index where id = :id and next_index < :next_index';

const INSERT_ADDRESSES = `insert into deposit_address (user_id, wallet_id, family, derivation_index,
    address, address_key, created_at)
  select u, :wallet_id, :family, i, a, lower(a), t
  from unnest(:user_ids::bigint[], :indexes::bigint[], :addresses::text[],
      :created_at::timestamptz[]) n (u, i, a, t)
  on conflict do nothing returning address`;

async function insertInto(
  tx: Transaction,
  now: Date,
  addresses: readonly ImportedAddress[],
): Promise<string[]> {
  const { family = '', xpub = null } = addresses[0] ?? {};
  const retired = xpub === null ? now : null;
  const { rows } = await queryNamed<{ id: number; next_index: number }>(tx, ADD_WALLET, {
    family,
    xpub: xpub ?? SINGLE_ADDRESSES,
    now,
    retired,
  });
  const { id = 0, next_index: next = 0 } = rows[0] ?? {};
  const indexes = addresses.map(({ derivationIndex }, i) => derivationIndex ?? next + i);
  await queryNamed(tx, SAVE_INDEX, { id, next_index: Math.max(...indexes) + 1 });
  const inserted = await queryNamed<{ address: string }>(tx, INSERT_ADDRESSES, {
    wallet_id: id,
    family,
    user_ids: plainArray(addresses.map(({ userId }) => userId)),
    indexes: plainArray(indexes),
    addresses: textArray(addresses.map(({ address }) => address)),
    created_at: textArray(addresses.map(({ createdAt }) => createdAt)),
  });
  return inserted.rows.map(({ address }) => address);
}

/**
 * Adds addresses; returns those that were added. Others belong to someone, or their owner has one
 * of the same key.
 */
export async function importAddresses(
  tx: Transaction,
  now: Date,
  addresses: readonly ImportedAddress[],
): Promise<Set<string>> {
  const byKey = Map.groupBy(addresses, ({ family, xpub }) => `${family} ${xpub ?? ''}`);
  const added: string[] = [];
  for (const [, group] of [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)))
    added.push(...(await insertInto(tx, now, group)));
  return new Set(added);
}
