/** `POST /operator/rewards`: pays a reward into a person's reward wallet. */
import Type, { type Static } from 'typebox';
import type { Database, Transaction } from '../db/index.ts';
import { recordEvent } from '../events/index.ts';
import { callerOf, Decimal, type HttpServer, Id, IdempotencyHeaders, sendIdempotent, Timestamp } from '../http/index.ts';
import { postTransfers } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { requireCurrency } from '../wallets/index.ts';
import { PostingFields, RewardType, toAmount, toEventAt, transferIdOf } from './money-input.ts';

const Order = Type.Object({ user_id: Id('Who is rewarded.'), ...PostingFields, reward_type: RewardType }, { additionalProperties: false });

const Reward = Type.Object(
  {
    id: Id('The transfer.'),
    user_id: Id('Who was rewarded.'),
    currency: Type.String(),
    amount: Decimal('As posted.'),
    reward_type: RewardType,
    business_id: Type.String({ description: '`reward`, or `referral_reward` for the type `REFERRAL`.' }),
    node_id: Type.Optional(Type.String()),
    reference: Type.Optional(Type.String()),
    remark: Type.Optional(Type.String()),
    event_at: Timestamp('When it was earned.'),
  },
  { $id: 'Reward', description: 'A reward that was paid.' },
);

/** A penalty is a debit and passes even if the rewards were spent; everything else is a credit. */
const PENALTY = 'PENALTY';

async function payReward(tx: Transaction, clock: Clock, idem: string, order: Static<typeof Order>) {
  const currency = await requireCurrency(tx, order.currency);
  const amount = toAmount(order.amount, currency);
  const eventAt = toEventAt(order.event_at, clock.now());
  const businessId = order.reward_type === 'REFERRAL' ? 'referral_reward' : 'reward';
  const pool = { house: 'reward_pool' } as const;
  const person = { userId: order.user_id, wallet: 'bonus' } as const;
  const isPenalty = order.reward_type === PENALTY;
  const { node_id, reference, remark } = order;
  const [result] = await postTransfers(tx, [
    {
      idem,
      debit: isPenalty ? person : pool,
      credit: isPenalty ? pool : person,
      currency: currency.code,
      amount,
      businessId,
      eventAt,
      rewardType: order.reward_type,
      mayOverdraw: isPenalty,
      ...(node_id !== undefined && { nodeId: node_id }),
      ...(reference !== undefined && { reference }),
      ...(remark !== undefined && { remark }),
    },
  ]);
  const reward = {
    id: transferIdOf(result),
    user_id: order.user_id,
    currency: currency.code,
    amount: exactAmount(isPenalty ? -amount : amount, currency.scale),
    reward_type: order.reward_type,
    business_id: businessId,
    ...(node_id !== undefined && { node_id }),
    ...(reference !== undefined && { reference }),
    ...(remark !== undefined && { remark }),
    event_at: eventAt.toISOString(),
  };
  await recordEvent(tx, clock, { userId: order.user_id, type: 'reward.posted', data: reward });
  return reward;
}

export function registerOperatorRewards(app: HttpServer, { database, clock }: { database: Database; clock: Clock }): void {
  app.post(
    '/operator/rewards',
    {
      config: { access: { scopes: ['operator:rewards'] } },
      schema: {
        headers: IdempotencyHeaders,
        tags: ['operator'],
        summary: 'Pay a reward',
        description:
          'Posts from the reward pool into the reward wallet. The type `PENALTY` takes the (positive) amount back and may make the wallet negative. Needs an `Idempotency-Key`.',
        body: Order,
        response: { 200: Reward },
      },
    },
    async (request, reply) => {
      const idem = `reward:${callerOf(request).clientId}:${String(request.headers['idempotency-key'])}`;
      return sendIdempotent(database, request, reply, async (tx) => ({ status: 200, body: await payReward(tx, clock, idem, request.body) }));
    },
  );
}
