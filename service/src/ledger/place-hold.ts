import { type Db, type Transaction, transaction } from '../db/index.ts';
import type { FailureCode } from '../lib/failures.ts';
import { AMOUNT_MAX } from '../lib/money.ts';
import {
  type AccountState,
  addRefusal,
  addStep,
  type BatchState,
  getAvailable,
} from './batch-state.ts';
import { findHold, findStep, type HoldResult, openAccountBatch } from './holds.ts';
import { getLedgerContext } from './ledger-context.ts';
import { persistBatch } from './persist-batch.ts';
import { referenceOf } from './reference-data.ts';
import { toRefusal } from './refused-keys.ts';
import { hashRequestFields } from './resolve-postings.ts';
import type { Currency, RequestKey, TransactionType, UserWallet } from './types.ts';

export interface PlaceHold {
  /** Idempotency key, unique in the ledger. */
  readonly idempotencyKey: string;
  /** Hash of the request. Default: of the fields below. */
  readonly requestHash?: string;
  readonly account: { readonly userId: number; readonly wallet: UserWallet };
  readonly currency: string;
  /** Minor units, 1 to `AMOUNT_MAX`. */
  readonly amount: bigint;
  /** Transaction type of a settled part, as bills show it. */
  readonly businessId: string;
  /** Seconds until it is given back; default: it holds until it is settled or cancelled. */
  readonly life_s?: number;
  readonly reference?: string;
  readonly remark?: string;
  /**
   * Why the caller refuses it, whatever the balance: recorded like a refusal of the ledger, so that
   * it stays refused.
   */
  readonly refusal?: FailureCode;
}

function whyNot(
  { refusal, amount }: PlaceHold,
  account: AccountState | undefined,
): FailureCode | undefined {
  if (!account) return 'unknown_user';
  if (account.isClosed) return 'account_closed';
  return refusal ?? (getAvailable(account) < amount ? 'insufficient_funds' : undefined);
}

function toEnd({ life_s }: PlaceHold, now: Date): Date | null {
  return life_s === undefined ? null : new Date(now.getTime() + life_s * 1000);
}

function hashOrder({
  requestHash,
  account,
  currency,
  amount,
  businessId,
  life_s,
  reference,
  remark,
}: PlaceHold): string {
  const fields = [
    'place',
    account.userId,
    account.wallet,
    currency,
    amount,
    businessId,
    life_s,
    reference,
    remark,
  ];
  return requestHash ?? hashRequestFields(fields);
}

/** The key stays refused, whatever becomes possible later. */
async function recordRefusal(
  tx: Transaction,
  batch: BatchState,
  key: RequestKey,
  code: FailureCode,
): Promise<HoldResult> {
  addRefusal(batch, key, { code });
  await persistBatch(tx, getLedgerContext(tx).sealKey, batch);
  return toRefusal(code);
}

interface HoldIn {
  readonly batch: BatchState;
  readonly account: AccountState;
  readonly currency: Currency;
  readonly business: TransactionType;
  readonly key: RequestKey;
}

function hold(
  { batch, account, currency, business, key }: HoldIn,
  order: PlaceHold,
  now: Date,
): number {
  account.onHold += order.amount;
  account.isDirty = true;
  return addStep(batch, {
    ...key,
    kind: 'place',
    amount: order.amount,
    remaining: order.amount,
    transferId: null,
    terms: {
      walletId: account.walletId,
      currency,
      business,
      expiresAt: toEnd(order, now),
      reference: order.reference ?? null,
      remark: order.remark ?? null,
    },
  });
}

/** Sets money aside: it leaves the available balance and stays the person's. Writes no bill. */
export async function placeHold(db: Db, order: PlaceHold): Promise<HoldResult> {
  return transaction(db, async (tx): Promise<HoldResult> => {
    const { sealKey, clock } = getLedgerContext(tx);
    const reference = await referenceOf(tx, {
      currencies: [order.currency],
      businesses: [order.businessId],
    });
    const currency = reference.currencies.get(order.currency);
    const business = reference.businesses.get(order.businessId);
    if (!currency) return toRefusal('unknown_currency');
    if (!business) return toRefusal('unknown_business');
    if (order.amount <= 0n || order.amount > AMOUNT_MAX) return toRefusal('invalid_amount');
    const key = { idempotencyKey: order.idempotencyKey, requestHash: hashOrder(order) };
    const { batch, accounts } = await openAccountBatch(tx, currency, [order.account]);
    const before = await findStep(tx, key);
    if (before) return before;
    const [account] = accounts;
    const code = whyNot(order, account);
    if (code || !account) return recordRefusal(tx, batch, key, code ?? 'unknown_user');
    const id = hold({ batch, account, currency, business, key }, order, clock.now());
    await persistBatch(tx, sealKey, batch);
    const placed = await findHold(tx, id);
    if (!placed) throw new Error('the hold was not written');
    return { status: 'done', hold: placed, transferId: null };
  });
}
