import { type Db, type Transaction, transaction } from '../db/index.ts';
import { checkOpen, findHold, findStep, type HoldResult, hashStep, openAccountBooks, releaseRest } from './holds.ts';
import { settingsOf } from './settings.ts';
import { writeBooks } from './write-books.ts';

/** Closes a hold under its account's lock: `cancel` while it lives, `expire` once its time is over. */
export async function closeHold(tx: Transaction, kind: 'cancel' | 'expire', holdId: number, idem: string): Promise<HoldResult> {
  const { clock, sealKey } = settingsOf(tx);
  const asked = await findHold(tx, holdId);
  if (!asked) return { status: 'refused', code: 'not_found' };
  const requestHash = hashStep(kind, holdId);
  const { books, accounts } = await openAccountBooks(tx, asked.currency, [{ userId: asked.userId, wallet: asked.wallet }]);
  const before = await findStep(tx, idem, requestHash);
  if (before) return before;
  const hold = await findHold(tx, holdId);
  const [account] = accounts;
  if (!hold || !account) return { status: 'refused', code: 'not_found' };
  const code = checkOpen(hold, clock.now());
  const expected = kind === 'expire' ? 'hold_expired' : undefined;
  if (code !== expected) return { status: 'refused', code: code ?? 'hold_not_open' };
  releaseRest(books, account, hold, { kind, idem, requestHash });
  await writeBooks(tx, sealKey, books);
  return { status: 'done', hold: (await findHold(tx, holdId)) ?? hold };
}

/** Gives back all that remains of a hold. */
export async function cancelHold(db: Db, order: { readonly idem: string; readonly holdId: number }): Promise<HoldResult> {
  return transaction(db, (tx) => closeHold(tx, 'cancel', order.holdId, order.idem));
}
