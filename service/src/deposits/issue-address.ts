/** Gives a person the one address that is theirs in a family of networks, making it at the first request. */
import { type Db, transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import type { Network } from './networks.ts';

export interface DepositAddress {
  readonly address: string;
  readonly createdAt: Date;
}

/** The first one that was ever given out, whatever public key came later, unless its wallet was retired. `offset 0`: a person's own first, or the order would lead through everybody's. */
const FIND = `select a.address, a.created_at from (select * from deposit_address where user_id = $1 offset 0) a
  join deposit_wallet on deposit_wallet.id = a.wallet_id
  where a.family = $2 and (retired_at is null or a.wallet_id = $3) order by a.id limit 1`;

interface AddressRow {
  address: string;
  created_at: Date;
}

/**
 * The person's address on a network; the same one for ever, and on every network of its family.
 * @throws `network_unavailable` when the operator has not configured the network
 */
export async function issueAddress(
  db: Db,
  clock: Clock,
  userId: number,
  network: Network,
): Promise<DepositAddress> {
  const { walletId, xpub, family } = network;
  if (!network.isEnabled || walletId === undefined || xpub === undefined) {
    throw failure('network_unavailable', {
      detail: `Deposits on ${network.code} are not available here.`,
    });
  }
  const { rows: known } = await db.prepared<AddressRow>('deposit-address', FIND, [
    userId,
    family,
    walletId,
  ]);
  if (known[0]) return { address: known[0].address, createdAt: known[0].created_at };
  const { deriveAddress } = await import('./derive-address.ts');
  return transaction(db, async (tx) => {
    // The rows of the family's wallets queue everybody who needs a new number, the same person's second request included.
    const { rows: wallets } = await tx.query<{ id: number; next_index: number }>(
      'select id, next_index from deposit_wallet where family = $1 order by id for update',
      [family],
    );
    const { rows: meanwhile } = await tx.query<AddressRow>(FIND, [userId, family, walletId]);
    if (meanwhile[0]) return { address: meanwhile[0].address, createdAt: meanwhile[0].created_at };
    const index = wallets.find(({ id }) => id === walletId)?.next_index;
    if (index === undefined) throw new Error('the wallet of the network vanished');
    const address = await deriveAddress(xpub, index, network);
    const createdAt = clock.now();
    await tx.query('update deposit_wallet set next_index = $2 where id = $1', [
      walletId,
      index + 1,
    ]);
    await tx.query(
      `insert into deposit_address (user_id, wallet_id, family, derivation_index, address, address_key, created_at)
       values ($1, $2, $3, $4, $5, lower($5), $6)`,
      [userId, walletId, family, index, address, createdAt],
    );
    return { address, createdAt };
  });
}
