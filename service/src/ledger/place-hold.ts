import { type Db, type Transaction, transaction } from '../db/index.ts';
import type { FailureCode } from '../lib/failures.ts';
import { MAX_MINOR } from '../lib/money.ts';
import { type AccountState, addStep, availableOf, type Books, type RefusalRow } from './books.ts';
import { findHold, findStep, type HoldResult, hashStep, openAccountBooks } from './holds.ts';
import { referenceOf } from './reference.ts';
import { settingsOf } from './settings.ts';
import type { UserWallet } from './types.ts';
import { writeBooks } from './write-books.ts';

export interface PlaceHold {
  readonly idem: string;
  readonly account: { readonly userId: number; readonly wallet: UserWallet };
  readonly currency: string;
  readonly amount: bigint;
  /** What a settled part will be called in the bills. */
  readonly businessId: string;
  /** For how long it holds; default: until it is settled or cancelled. */
  readonly life_s?: number;
  readonly reference?: string;
  readonly remark?: string;
  /** Why the caller refuses it, whatever the books say: noted as their own refusals are, so that it stays refused. */
  readonly refusal?: FailureCode;
}

function whyNot({ refusal, amount }: PlaceHold, account: AccountState): FailureCode | undefined {
  if (account.closed) return 'account_closed';
  return refusal ?? (availableOf(account) < amount ? 'insufficient_funds' : undefined);
}

function endOf({ life_s }: PlaceHold, now: Date): Date | null {
  return life_s === undefined ? null : new Date(now.getTime() + life_s * 1000);
}

/** The name stays refused, whatever becomes possible later. */
async function noteRefusal(tx: Transaction, books: Books, refusal: RefusalRow): Promise<HoldResult> {
  books.refusals.push(refusal);
  await writeBooks(tx, settingsOf(tx).sealKey, books);
  return { status: 'refused', code: refusal.code };
}

/** Sets money aside: it leaves the available balance and stays the person's. Writes no bill. */
export async function placeHold(db: Db, order: PlaceHold): Promise<HoldResult> {
  return transaction(db, async (tx): Promise<HoldResult> => {
    const { sealKey, clock } = settingsOf(tx);
    const known = await referenceOf(tx, { currencies: [order.currency], businesses: [order.businessId] });
    const currency = known.currencies.get(order.currency);
    const business = known.businesses.get(order.businessId);
    if (!currency) return { status: 'refused', code: 'unknown_currency' };
    if (!business) return { status: 'refused', code: 'unknown_business' };
    if (order.amount <= 0n || order.amount > MAX_MINOR) return { status: 'refused', code: 'invalid_amount' };
    const { userId, wallet } = order.account;
    const requestHash = hashStep('place', userId, wallet, order.currency, order.amount, order.businessId, order.life_s, order.reference, order.remark);
    const { books, accounts } = await openAccountBooks(tx, currency, [order.account]);
    const before = await findStep(tx, order.idem, requestHash);
    if (before) return before;
    const [account] = accounts;
    if (!account) return noteRefusal(tx, books, { idem: order.idem, requestHash, code: 'unknown_user' });
    const code = whyNot(order, account);
    if (code) return noteRefusal(tx, books, { idem: order.idem, requestHash, code });
    account.held += order.amount;
    account.isTouched = true;
    const id = addStep(books, {
      kind: 'place',
      amount: order.amount,
      transferId: null,
      idem: order.idem,
      requestHash,
      terms: {
        walletId: account.walletId,
        currency,
        business,
        expiresAt: endOf(order, clock.now()),
        reference: order.reference ?? null,
        remark: order.remark ?? null,
      },
      after: { remaining: order.amount, state: 'open' },
    });
    await writeBooks(tx, sealKey, books);
    const hold = await findHold(tx, id);
    if (!hold) throw new Error('the hold was not written');
    return { status: 'done', hold };
  });
}
