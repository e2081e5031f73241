import type { Transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { reissueDocument } from './document.ts';
import { findPayouts } from './queries.ts';

/** Writes the next document of payouts: approvals of the one before count no longer. */
export async function reissueDocuments(
  tx: Transaction,
  clock: Clock,
  ids: readonly number[],
): Promise<void> {
  for (const { id, document } of await findPayouts(tx, ids)) {
    const { text, hash } = reissueDocument(document, clock.now());
    await tx.query('update payout set document = $2, document_hash = $3 where id = $1', [
      ...[id, text, hash],
    ]);
  }
}
