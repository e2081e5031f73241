/** A reward as the answer to its order and its event show it. */
import Type, { type Static } from 'typebox';
import { Decimal, Id, Timestamp } from '../http/index.ts';
import type { Currency } from '../ledger/index.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { RewardType } from './money-schemas.ts';

export const Reward = Type.Object(
  {
    id: Id('The transfer.'),
    user_id: Id('Who was rewarded.'),
    currency: Type.String(),
    amount: Decimal('As posted.'),
    reward_type: RewardType,
    business_id: Type.String({
      description:
        'Transaction type that the reward is posted as; default for own types: `reward`.',
    }),
    node_id: Type.Optional(Type.String()),
    reference: Type.Optional(Type.String()),
    remark: Type.Optional(Type.String()),
    event_at: Timestamp('When it was earned.'),
  },
  { $id: 'Reward', description: 'A reward that was paid.' },
);

/** What a reward is made of, whether it was just posted or is read from its posting. */
export interface RewardFields {
  readonly transferId: number;
  readonly userId: number;
  readonly currency: Currency;
  /** Minor units, positive. */
  readonly amount: bigint;
  readonly rewardType: string;
  readonly businessId: string;
  /** True for a penalty, which is shown as a negative amount. */
  readonly mayOverdraw?: boolean;
  readonly eventAt: Date;
  readonly nodeId?: string;
  readonly reference?: string;
  readonly remark?: string;
}

export function toReward(fields: RewardFields): Static<typeof Reward> {
  const { mayOverdraw, amount, currency, nodeId, reference, remark } = fields;
  return {
    id: fields.transferId,
    user_id: fields.userId,
    currency: currency.code,
    amount: exactAmount(mayOverdraw ? -amount : amount, currency.scale),
    reward_type: fields.rewardType,
    business_id: fields.businessId,
    ...(nodeId !== undefined && { node_id: nodeId }),
    ...(reference !== undefined && { reference }),
    ...(remark !== undefined && { remark }),
    event_at: fields.eventAt.toISOString(),
  };
}
