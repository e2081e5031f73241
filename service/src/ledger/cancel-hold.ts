import { type Db, type Transaction, transaction } from '../db/index.ts';
import {
  checkOpen,
  findHold,
  findStep,
  type HoldResult,
  openAccountBatch,
  releaseRest,
} from './holds.ts';
import { getLedgerContext } from './ledger-context.ts';
import { persistBatch } from './persist-batch.ts';
import { toRefusal } from './refused-keys.ts';
import { hashRequestFields } from './resolve-postings.ts';

export interface CancelHold {
  /** Idempotency key, unique in the ledger. */
  readonly idempotencyKey: string;
  /** Hash of the request. Default: of the hold's id. */
  readonly requestHash?: string;
  readonly holdId: number;
}

/**
 * Closes a hold under the lock of its account: `cancel` while it is valid, `expire` once its time
 * is over.
 */
export async function closeHold(
  tx: Transaction,
  kind: 'cancel' | 'expire',
  order: CancelHold,
): Promise<HoldResult> {
  const { holdId, idempotencyKey, requestHash = hashRequestFields([kind, order.holdId]) } = order;
  const { clock, sealKey } = getLedgerContext(tx);
  const asked = await findHold(tx, holdId);
  if (!asked) return toRefusal('not_found');
  const owner = { userId: asked.userId, wallet: asked.wallet };
  const { batch, accounts } = await openAccountBatch(tx, asked.currency, [owner]);
  const before = await findStep(tx, { idempotencyKey, requestHash });
  if (before) return before;
  const hold = await findHold(tx, holdId);
  const [account] = accounts;
  if (!hold || !account) return toRefusal('not_found');
  const code = checkOpen(hold, clock.now());
  const expected = kind === 'expire' ? 'hold_expired' : undefined;
  if (code !== expected) return toRefusal(code ?? 'hold_not_open');
  releaseRest(batch, account, hold, { kind, idempotencyKey, requestHash });
  await persistBatch(tx, sealKey, batch);
  return { status: 'done', hold: (await findHold(tx, holdId)) ?? hold, transferId: null };
}

/** Gives back all that remains of a hold. */
export async function cancelHold(db: Db, order: CancelHold): Promise<HoldResult> {
  return transaction(db, (tx) => closeHold(tx, 'cancel', order));
}
