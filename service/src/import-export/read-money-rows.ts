/** Rows of balances, bills and purchases. */
import { OPENING_BALANCE } from '../ledger/index.ts';
import { collectFieldErrors } from '../lib/collect-field-errors.ts';
import { fieldError } from '../lib/failures.ts';
import {
  type ReaderContext,
  type RowValues,
  readAbove,
  readId,
  readMoney,
  readTime,
  readWallet,
} from './row-values.ts';
import type { RowOf } from './schemas.ts';

export function readBalance(context: ReaderContext, row: RowOf<'balances'>): RowValues {
  const [userId, wallet, amount, asOf] = collectFieldErrors(
    () => readId(row.user_id, 'user_id', context.idEnd),
    () => readWallet(context, row.wallet),
    () => readMoney(context, row),
    () => (row.as_of === undefined ? null : readTime(row.as_of, 'as_of', context.now)),
  );
  const { currency } = row;
  return {
    key: `${userId}/${wallet}/${currency}`,
    userId,
    position: null,
    amount,
    currency,
    wallet,
    data: { wallet, currency, amount: String(amount), as_of: asOf },
  };
}

export function readBill(context: ReaderContext, row: RowOf<'bills'>): RowValues {
  const [userId, wallet, amount, eventAt] = collectFieldErrors(
    () => readId(row.user_id, 'user_id', context.idEnd),
    () => readWallet(context, row.wallet),
    () => readAbove(readMoney(context, row)),
    () => readTime(row.event_at, 'event_at', context.now),
    () => {
      const isKnown = context.reference.businesses.has(row.business_id);
      if (!isKnown && row.business_id !== OPENING_BALANCE)
        throw fieldError('business_id', 'unknown_business', 'is unknown: add it first');
    },
    () => {
      const isEarning = context.reference.businesses.get(row.business_id)?.isEarning === true;
      if (isEarning && row.reward_type === undefined)
        throw fieldError('reward_type', 'required', 'is required of an earning');
    },
  );
  const { id, user_id: _, amount_direction: direction, updated_at: __, ...rest } = row;
  const signed = direction === '1' ? amount : -amount;
  const { counter = null, creditSign = 1 } =
    context.reference.businesses.get(row.business_id) ?? {};
  return {
    key: `${userId}/${wallet}/${row.currency}/${id}`,
    userId,
    position: null,
    amount: signed,
    currency: row.currency,
    wallet,
    ...(counter !== null && { counter, counterChange: signed * BigInt(creditSign) }),
    data: { ...rest, direction, amount: String(amount), event_at: eventAt },
  };
}

export function readPurchase(context: ReaderContext, row: RowOf<'purchases'>): RowValues {
  const { id, currency, refunded: back = '0', reference = id } = row;
  const [userId, amount, refunded, createdAt] = collectFieldErrors(
    () => readId(row.user_id, 'user_id', context.idEnd),
    () => readAbove(readMoney(context, row)),
    () => readMoney(context, { currency, amount: back }, 'refunded'),
    () => readTime(row.created_at, 'created_at', context.now),
  );
  if (currency !== context.rewardCurrency)
    throw fieldError('currency', 'not_reward_currency', `must be ${context.rewardCurrency}`);
  if (refunded < 0n || refunded > amount)
    throw fieldError('refunded', 'out_of_range', 'must be between 0 and the amount');
  return {
    key: id,
    userId,
    position: null,
    amount: amount - refunded,
    currency,
    data: {
      currency,
      amount: String(amount),
      refunded: String(refunded),
      reference,
      created_at: createdAt,
    },
  };
}
