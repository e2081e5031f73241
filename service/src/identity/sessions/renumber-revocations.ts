/** After a restore into another cluster, whose transactions have other numbers. */
import type { Transaction } from '../../db/index.ts';

/**
 * Gives all revocations the number of this transaction: instances read the feed by these numbers,
 * and would read those of the old cluster again and again, or never.
 */
export async function renumberRevocations(tx: Transaction): Promise<void> {
  await tx.query('update token_revocation set xid = pg_current_xact_id()');
}
