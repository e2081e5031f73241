/** Schemas of `/operator/purchases`. */

import Type, { type Static } from 'typebox';
import type { Purchase } from '../community/index.ts';
import { Decimal, Flag, Id, OptionalBody, PathId, StringEnum, Timestamp } from '../http/index.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { TEXT_MAX } from '../lib/text-limits.ts';
import { AmountInput, TextInput } from './money-schemas.ts';

const ExternalReference = TextInput(
  "The business server's own name of it; shown on the bill.",
  TEXT_MAX.purchaseReference,
);

export const PurchaseForm = Type.Object(
  {
    user_id: Id('Who bought.'),
    amount: AmountInput('Price in the reward currency.'),
    reference: ExternalReference,
    external: Type.Optional(Flag('Paid outside: nothing is debited to the wallet of the person.')),
  },
  // A currency that is ignored would be a purchase in another one than the operator meant.
  { additionalProperties: false },
);

export const RefundForm = OptionalBody({
  amount: Type.Optional(AmountInput('How much is paid back; default: all that remains.')),
  reference: Type.Optional(ExternalReference),
});

export const PurchaseVO = Type.Object(
  {
    id: Id('The purchase.'),
    user_id: Id('Who bought.'),
    currency: Type.String({ description: 'The reward currency.' }),
    amount: Decimal('Price.'),
    refunded: Decimal('What was paid back of it so far.'),
    status: StringEnum(['confirmed', 'partly_refunded', 'refunded'], 'What became of it.'),
    reference: ExternalReference,
    external: Type.Boolean({ description: 'Paid outside.' }),
    transfer_id: Id('The transfer that paid for it.'),
    refund_transfer_id: Type.Optional(
      Id('The transfer that paid back; only in the answer to a refund.'),
    ),
    created_at: Timestamp('When it was recorded.'),
  },
  { description: 'A package that a person bought.' },
);

export const PurchasePath = Type.Object({ id: PathId('The purchase.') });

export type PurchaseRecord = Static<typeof PurchaseVO>;

export function toPurchaseRecord(purchase: Purchase, scale: number): PurchaseRecord {
  const { amount, refunded } = purchase;
  return {
    id: purchase.purchaseId,
    user_id: purchase.userId,
    currency: purchase.currency,
    amount: exactAmount(amount, scale),
    refunded: exactAmount(refunded, scale),
    status: refunded === 0n ? 'confirmed' : refunded < amount ? 'partly_refunded' : 'refunded',
    reference: purchase.reference,
    external: purchase.isExternal,
    transfer_id: purchase.transferId,
    created_at: purchase.createdAt.toISOString(),
  };
}
