/** Finds the transactions of a payout in a chain. */
import type { Db } from '../db/index.ts';
import type { ChainNode, Payment } from '../deposits/index.ts';
import type { PayoutRow } from './queries.ts';

export interface FoundPayment extends Payment {
  readonly txHash: string;
}

/**
 * The transaction of a payout that a block contains: the one that pays it, if there is one, however
 * many a signer has reported. Two signers by mistake can sign the same transaction for two payouts:
 * it pays the one reported first.
 */
export async function findPayment(
  db: Db,
  node: ChainNode,
  payout: PayoutRow,
): Promise<FoundPayment | undefined> {
  const { rows } = await db.query<{ tx_hash: string }>(
    `select tx_hash from payout_transaction own where payout_id = $1
       and not exists (select from payout_transaction other
         where other.tx_hash = own.tx_hash
           and (other.sent_at, other.payout_id) < (own.sent_at, own.payout_id))
     order by sent_at desc`,
    [payout.id],
  );
  let other: FoundPayment | undefined;
  for (const { tx_hash: txHash } of rows) {
    const payment = await node.readPayment(txHash, payout.address);
    if (!payment) continue;
    const found = { ...payment, txHash };
    if (paysDocument(payout, found)) return found;
    other ??= found;
  }
  return other;
}

/** True when the transaction pays exactly what the document says. */
export function paysDocument({ document }: PayoutRow, { transfers }: FoundPayment): boolean {
  const { amount, contract } = JSON.parse(document) as { amount: string; contract: string | null };
  const paid = transfers
    .filter((transfer) => (transfer.contract?.toLowerCase() ?? null) === contract)
    .reduce((sum, transfer) => sum + transfer.amount, 0n);
  return String(paid) === amount;
}
