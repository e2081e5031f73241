/** Issues the address of a user in a family of networks; created at the first request. */
import { type Db, defineStatement, execute, transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import type { Network } from './networks.ts';

export interface DepositAddress {
  readonly address: string;
  readonly createdAt: Date;
}

/**
 * The first address that was issued, whatever public key came later, unless its key was retired.
 * `offset 0`: the index on the user serves, not the order of all addresses.
 * @param family,wallet as SQL
 */
export const selectAddress = (
  family: string,
  wallet: string,
): string => `select a.address, a.created_at as "createdAt"
   from (select * from deposit_address where user_id = :user offset 0) a
   join deposit_wallet on deposit_wallet.id = a.wallet_id
   where a.family = ${family} and (retired_at is null or a.wallet_id = ${wallet})
   order by a.id limit 1`;
const FIND_ADDRESS = defineStatement(
  'deposit_address_of_user',
  selectAddress(':family', ':wallet'),
);

/** Requests that need a new index queue here, a second request of the same user included. */
const LOCK_KEYS = defineStatement(
  'deposit_wallet_lock',
  `select id, next_index from deposit_wallet where family = :family order by id for update`,
);

const INSERT_ADDRESS = defineStatement(
  'deposit_address_insert',
  `with issued as (update deposit_wallet set next_index = :index + 1 where id = :wallet)
   insert into deposit_address
     (user_id, wallet_id, family, derivation_index, address, address_key, created_at)
   values (:user, :wallet, :family, :index, :address, lower(:address), :now)`,
);

/**
 * The address of a user on a network; the same one for ever, and on every network of its family.
 * @throws `network_unavailable` when the operator has not configured the network
 */
export async function issueAddress(
  db: Db,
  clock: Clock,
  user: number,
  network: Network,
): Promise<DepositAddress> {
  const { walletId: wallet, xpub, family } = network;
  if (!network.isEnabled || wallet === undefined || xpub === undefined)
    throw failure('network_unavailable', {
      detail: `Deposits on ${network.code} are not available here.`,
    });
  const owner = { user, family, wallet };
  const [known] = (await execute<DepositAddress>(db, FIND_ADDRESS, owner)).rows;
  if (known) return known;
  const { deriveAddress } = await import('./derive-address.ts');
  return transaction(db, async (tx) => {
    const keys = await execute<{ id: number; next_index: number }>(tx, LOCK_KEYS, { family });
    const [meanwhile] = (await execute<DepositAddress>(tx, FIND_ADDRESS, owner)).rows;
    if (meanwhile) return meanwhile;
    const index = keys.rows.find(({ id }) => id === wallet)?.next_index;
    if (index === undefined) throw new Error('the account key of the network vanished');
    const address = deriveAddress(xpub, index, network);
    const createdAt = clock.now();
    await execute(tx, INSERT_ADDRESS, { ...owner, index, address, now: createdAt });
    return { address, createdAt };
  });
}
