import { type Db, type Transaction, transaction } from '../db/index.ts';
import type { FailureCode } from '../lib/failures.ts';
import { type AccountState, addStep, type Books, checkMovement, type Movement, move } from './books.ts';
import { checkOpen, findHold, findStep, type Hold, type HoldResult, hashStep, openAccountBooks, releaseRest } from './holds.ts';
import { type Reference, referenceOf } from './reference.ts';
import { settingsOf } from './settings.ts';
import type { AccountRef } from './types.ts';
import { writeBooks } from './write-books.ts';

export interface SettleHold {
  readonly idem: string;
  readonly holdId: number;
  /** Default: all that remains. */
  readonly amount?: bigint;
  /** Where the money goes. */
  readonly credit: AccountRef;
  readonly eventAt: Date;
  /** Gives back what remains after this part. Default: it stays held. */
  readonly releaseRest?: boolean;
  readonly remark?: string;
}

function toMovement(reference: Reference, hold: Hold, order: SettleHold, debit: AccountState, credit: AccountState, requestHash: string): Movement {
  const business = reference.businesses.get(hold.businessId);
  if (!business) throw new Error(`the business ${hold.businessId} does not exist`);
  return {
    debit,
    credit,
    business,
    requestHash,
    currency: hold.currency,
    amount: order.amount ?? hold.remaining,
    eventAt: order.eventAt,
    mayOverdraw: false,
    idem: order.idem,
    reference: hold.reference ?? undefined,
    remark: order.remark ?? hold.remark ?? undefined,
    hold,
  };
}

function settle(books: Books, hold: Hold, movement: Movement, order: SettleHold): FailureCode | undefined {
  if (movement.amount > hold.remaining) return 'hold_too_small';
  const code = checkMovement(movement);
  if (code) return code;
  const transferId = move(books, movement);
  const remaining = hold.remaining - movement.amount;
  const state = remaining === 0n ? 'settled' : 'open';
  const { idem, requestHash, amount } = movement;
  addStep(books, { kind: 'settle', holdId: hold.id, amount, transferId, idem, requestHash, terms: null, after: { remaining, state } });
  // Callers' names begin with what they ask for: none of them meets this one.
  if (remaining > 0n && order.releaseRest) releaseRest(books, movement.debit, { ...hold, remaining }, { kind: 'cancel', idem: `rest:${idem}`, requestHash });
  return undefined;
}

async function settleIn(tx: Transaction, order: SettleHold): Promise<HoldResult> {
  const { sealKey } = settingsOf(tx);
  const asked = await findHold(tx, order.holdId);
  if (!asked) return { status: 'refused', code: 'not_found' };
  const requestHash = hashStep('settle', order.holdId, order.amount, order.credit, order.releaseRest === true, order.remark);
  const owner = { userId: asked.userId, wallet: asked.wallet };
  const { books, accounts } = await openAccountBooks(tx, asked.currency, [owner, order.credit]);
  const before = await findStep(tx, order.idem, requestHash);
  if (before) return before;
  // Read again under the account's lock: another step may have come first.
  const hold = await findHold(tx, order.holdId);
  const reference = await referenceOf(tx, { businesses: [asked.businessId] });
  const [debit, credit] = accounts;
  if (!hold || !debit || !credit) return { status: 'refused', code: 'not_found' };
  const code = checkOpen(hold, settingsOf(tx).clock.now()) ?? settle(books, hold, toMovement(reference, hold, order, debit, credit, requestHash), order);
  if (code) return { status: 'refused', code };
  await writeBooks(tx, sealKey, books);
  return { status: 'done', hold: (await findHold(tx, order.holdId)) ?? hold };
}

/** Turns a hold, or a part of it, into a transfer. */
export async function settleHold(db: Db, order: SettleHold): Promise<HoldResult> {
  return transaction(db, (tx) => settleIn(tx, order));
}
