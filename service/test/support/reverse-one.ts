import type { Database } from '../../src/db/index.ts';
import { type PostResult, type ReverseTransfer, reverseTransfers } from '../../src/ledger/index.ts';

/** Reverses one transfer. */
export async function reverseOne(database: Database, order: ReverseTransfer): Promise<PostResult> {
  const [result] = await reverseTransfers(database, [order]);
  if (!result) throw new Error('the ledger gave no answer');
  return result;
}
