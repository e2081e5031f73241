import { type Db, queryNamed } from '../db/index.ts';

/** Notes the block in which another transaction used the nonce, or spent the coin, of a payout. */
export async function noteUsedInBlock(
  db: Db,
  id: number,
  { height, hash }: { readonly height: number; readonly hash: string },
): Promise<void> {
  await queryNamed(
    db,
    `update payout set reason_code = 'nonce_used_in_block', block_number = :height,
       block_hash = :hash
     where id = :id and status = 'sent'`,
    { id, height, hash },
  );
}
