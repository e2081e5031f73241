import { queryNamed, type Transaction } from '../db/index.ts';
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
    await queryNamed(
      tx,
      'update payout set document = :text, document_hash = :hash where id = :id',
      { id, text, hash },
    );
  }
}
