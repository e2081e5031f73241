/** Gives a person the one address that is theirs in a family of networks, making it at the first request. */
import { type Db, transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import type { Network } from './networks.ts';

export interface DepositAddress {
  readonly address: string;
  readonly createdAt: Date;
}

const FIND = 'select address, created_at from deposit_address where user_id = $1 and wallet_id = $2';

interface AddressRow {
  address: string;
  created_at: Date;
}

/**
 * The person's address on a network; the same one for ever, and on every network that shares its family and wallet.
 * @throws `network_unavailable` when the operator has not configured the network
 */
export async function issueAddress(db: Db, clock: Clock, userId: number, network: Network): Promise<DepositAddress> {
  const { walletId, xpub, family } = network;
  if (!network.isEnabled || walletId === undefined || xpub === undefined) {
    throw failure('network_unavailable', { detail: `Deposits on ${network.code} are not available here.` });
  }
  const { rows: known } = await db.query<AddressRow>(FIND, [userId, walletId]);
  if (known[0]) return { address: known[0].address, createdAt: known[0].created_at };
  const { deriveAddress } = await import('./derive-address.ts');
  return transaction(db, async (tx) => {
    // The wallet's row queues everybody who needs a new number, the same person's second request included.
    const { rows: wallets } = await tx.query<{ next_index: number }>('select next_index from deposit_wallet where id = $1 for update', [walletId]);
    const { rows: meanwhile } = await tx.query<AddressRow>(FIND, [userId, walletId]);
    if (meanwhile[0]) return { address: meanwhile[0].address, createdAt: meanwhile[0].created_at };
    const index = wallets[0]?.next_index ?? 0;
    const address = await deriveAddress(xpub, index, network);
    const createdAt = clock.now();
    await tx.query('update deposit_wallet set next_index = $2 where id = $1', [walletId, index + 1]);
    await tx.query(
      `insert into deposit_address (user_id, wallet_id, family, derivation_index, address, address_key, created_at)
       values ($1, $2, $3, $4, $5, lower($5), $6)`,
      [userId, walletId, family, index, address, createdAt],
    );
    return { address, createdAt };
  });
}
