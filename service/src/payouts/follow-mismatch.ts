/**
 * A transaction of a payout that pays something else than its document says. The chain cannot tell
 * what it is worth to its user: an operator decides, and the decision is carried out once the block
 * is final, as no other transaction of the payout can come after that.
 */
import { type Db, queryNamed } from '../db/index.ts';
import { isAgreedPayment } from './agree-payment.ts';
import { type ChainView, deepHeight, finalHeight } from './chain-view.ts';
import type { PayoutsDeps } from './context.ts';
import type { FoundPayment } from './find-payment.ts';
import type { PayoutRow } from './queries.ts';
import { settlePayout } from './settle-payout.ts';

/** A decision is about one transaction: another one is decided anew. */
async function note(db: Db, id: number, payment: FoundPayment): Promise<void> {
  const { height, blockHash, txHash } = payment;
  await queryNamed(
    db,
    `update payout set reason_code = 'transaction_mismatch', block_number = :height,
       block_hash = :block_hash,
       mismatch_outcome = case when tx_hash = :tx_hash then mismatch_outcome end,
       tx_hash = :tx_hash
     where id = :id and status = 'sent'`,
    { id, height, block_hash: blockHash, tx_hash: txHash },
  );
}

export async function followMismatch(
  deps: PayoutsDeps,
  view: ChainView,
  { id, address, tx_hash, mismatch_outcome: outcome }: PayoutRow,
  payment: FoundPayment,
): Promise<void> {
  await note(deps.database, id, payment);
  if (outcome === null || tx_hash !== payment.txHash) return;
  const isFinal = payment.height <= Math.min(deepHeight(view), finalHeight(view));
  if (isFinal && (await isAgreedPayment(view, address, payment)))
    await settlePayout(deps, id, payment, outcome);
}
