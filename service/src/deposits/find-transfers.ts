/** Finds the transfers of blocks to addresses of users. */
import { type Db, defineStatement, execute } from '../db/index.ts';
import type { AddressPrefilter } from './address-prefilter.ts';
import type { FetchedBlock, Transfer } from './chains/chain.ts';
import { mapInChunks } from './chains/map-in-chunks.ts';
import type { Network } from './networks.ts';

/** A transfer to the address of a user, and the block that holds it. */
export interface FoundTransfer extends Transfer {
  readonly addressId: number;
  readonly userId: number;
  readonly height: number;
  readonly blockHash: string;
}

const BLOCKS_CONCURRENT = 8;

/** Addresses are found by the table, so that no gap limit hides one. */
const FIND_ADDRESSES = defineStatement(
  'deposit_addresses_by_key',
  `select id, user_id, address_key from deposit_address
   where family = :family and address_key = any(:keys::text[])`,
);

/** Reads the transfers of these blocks to addresses of users. */
export async function findTransfers(
  db: Db,
  network: Network,
  prefilter: AddressPrefilter,
  blocks: readonly FetchedBlock[],
): Promise<FoundTransfer[]> {
  // After the blocks were read: an address that was issued before its payment is known by now.
  await prefilter.refresh();
  const receivers = new Set(blocks.flatMap((block) => block.recipients));
  const keys = [...receivers].filter((key) => prefilter.mayContain(key));
  if (keys.length === 0) return [];
  const { rows } = await execute<{ id: number; user_id: number; address_key: string }>(
    db,
    FIND_ADDRESSES,
    { family: network.family, keys },
  );
  const addresses = new Map(rows.map((row) => [row.address_key, row]));
  const watched = new Set(addresses.keys());
  const receiving = blocks.filter(({ recipients }) => recipients.some((key) => watched.has(key)));
  const found = await mapInChunks(receiving, BLOCKS_CONCURRENT, async (block) =>
    (await block.readTransfers(watched)).flatMap((transfer) => {
      const address = addresses.get(transfer.to);
      if (!address) return [];
      const { id: addressId, user_id: userId } = address;
      return [{ ...transfer, addressId, userId, height: block.height, blockHash: block.hash }];
    }),
  );
  return found.flat();
}
