/** Schemas of `/operator/withdrawals`. */

import Type, { type Static } from 'typebox';
import { Decimal, Flag, Id, OptionalBody, StringEnum, Timestamp } from '../http/index.ts';
import type { Hold } from '../ledger/index.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { TEXT_MAX } from '../lib/text-limits.ts';
import { AmountInput, CurrencyCode, TextInput } from './money-schemas.ts';

/** The transaction type of withdrawals; their fees have another one. */
export const WITHDRAWAL_BUSINESS = 'withdrawal';

const LIFE_MAX_S = 31_536_000;
export const WithdrawalOrder = Type.Object(
  {
    user_id: Id('Whose money.'),
    currency: CurrencyCode,
    amount: AmountInput('How much is held.'),
    expires_in_s: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIFE_MAX_S,
        description: 'Seconds after which the money is given back by itself.',
      }),
    ),
    reference: Type.Optional(TextInput("The business server's own reference.")),
    remark: Type.Optional(TextInput('Shown in the bill.', TEXT_MAX.remark)),
  },
  { additionalProperties: false },
);

export const SettleBody = OptionalBody({
  amount: Type.Optional(AmountInput('How much was paid out; default: all that remains.')),
  release_rest: Type.Optional(
    Flag('Gives back what remains after this part; otherwise it stays held.'),
  ),
  remark: Type.Optional(TextInput('Shown in the bill.', TEXT_MAX.remark)),
});

export const CancelBody = OptionalBody({
  reason: Type.Optional(TextInput('Why, for the audit log alone.', TEXT_MAX.remark)),
});

export const Withdrawal = Type.Object(
  {
    id: Id('The withdrawal.'),
    user_id: Id('Whose money.'),
    currency: Type.String(),
    amount: Decimal('Held at first.'),
    remaining: Decimal('Still held.'),
    settled: Decimal(
      'Paid out so far; of a withdrawal that was `cancelled` or `expired`, the part that was ' +
        'paid before the rest was given back.',
    ),
    reversed: Type.Optional(
      Decimal(
        'Of what was paid out: undone since, by reversing its transfers. Absent when nothing was.',
      ),
    ),
    status: StringEnum(
      ['held', 'settled', 'cancelled', 'expired'],
      'What became of the last part: see `settled` for how much was paid, and `reversed` for ' +
        'how much of it was undone.',
    ),
    reference: Type.Optional(Type.String()),
    remark: Type.Optional(Type.String()),
    transfer_id: Type.Optional(
      Id('The transfer of the part that was just paid out; only in the answer to settling.'),
    ),
    expires_at: Type.Optional(Timestamp('When the money is given back by itself.')),
    created_at: Timestamp('When it was held.'),
    updated_at: Timestamp('When it last changed.'),
  },
  { $id: 'Withdrawal', description: 'A withdrawal.' },
);

export function toWithdrawal(hold: Hold): Static<typeof Withdrawal> {
  const { scale } = hold.currency;
  return {
    id: hold.id,
    user_id: hold.userId,
    currency: hold.currency.code,
    amount: exactAmount(hold.amount, scale),
    remaining: exactAmount(hold.remaining, scale),
    settled: exactAmount(hold.settled, scale),
    ...(hold.reversed > 0n && { reversed: exactAmount(hold.reversed, scale) }),
    status: hold.state === 'open' ? 'held' : hold.state,
    ...(hold.reference !== null && { reference: hold.reference }),
    ...(hold.remark !== null && { remark: hold.remark }),
    ...(hold.expiresAt !== null && { expires_at: hold.expiresAt.toISOString() }),
    created_at: hold.createdAt.toISOString(),
    updated_at: hold.updatedAt.toISOString(),
  };
}
