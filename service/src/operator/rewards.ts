/** `POST /operator/rewards`: pays a reward into a person's reward wallet. */

import Type, { type Static } from 'typebox';
import { type Database, inAuditedTransaction, transaction } from '../db/index.ts';
import { type HttpServer, Id, IdempotencyHeaders, readRequestKey } from '../http/index.ts';
import {
  type Posting,
  postTransfers,
  type ReferenceData,
  type RequestKey,
  readEventTimes,
  referenceOf,
  refuseRequest,
  toFailure,
} from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { Failure, failure } from '../lib/failures.ts';
import { businessOfReward } from '../rewards/index.ts';
import { currencyIn } from '../wallets/index.ts';
import { PostingFields, RewardType, toAmount, toEventTime, toResult } from './money-schemas.ts';
import { operations } from './operations/money.ts';
import { Reward, toReward } from './reward-form.ts';

const Order = Type.Object(
  { user_id: Id('Who is rewarded.'), ...PostingFields, reward_type: RewardType },
  { additionalProperties: false },
);

/** A penalty is a debit and passes even if the rewards were spent; everything else is a credit. */
const PENALTY = 'PENALTY';

type Order = Static<typeof Order>;

function toPosting(names: ReferenceData, now: Date, key: RequestKey, order: Order): Posting {
  const currency = currencyIn(names, order.currency);
  const pool = { house: 'reward_pool' } as const;
  const person = { userId: order.user_id, wallet: 'bonus' } as const;
  const isPenalty = order.reward_type === PENALTY;
  const { node_id, reference, remark } = order;
  return {
    ...key,
    debit: isPenalty ? person : pool,
    credit: isPenalty ? pool : person,
    currency: currency.code,
    amount: toAmount(order.amount, currency),
    businessId: businessOfReward(order.reward_type),
    ...toEventTime(order.event_at, now),
    rewardType: order.reward_type,
    mayOverdraw: isPenalty,
    event: 'reward.posted',
    ...(node_id !== undefined && { nodeId: node_id }),
    ...(reference !== undefined && { reference }),
    ...(remark !== undefined && { remark }),
  };
}

/** Pays a reward, or answers as at first. @throws why it is refused, the same way each time */
async function payReward(
  database: Database,
  clock: Clock,
  key: RequestKey,
  order: Order,
): Promise<Static<typeof Reward>> {
  const names = await referenceOf(database, { currencies: [order.currency] });
  const posting = toResult(() => toPosting(names, clock.now(), key, order));
  // The currency may become known, and the time may come: the key stays refused.
  if (posting instanceof Failure)
    throw await transaction(database, (tx) => refuseRequest(tx, key, posting));
  const [result] = await inAuditedTransaction(database, (db) => postTransfers(db, [posting]));
  if (!result || result.status === 'refused')
    throw result ? toFailure(result) : failure('internal_error');
  const { transferId } = result;
  const times =
    result.status === 'replayed' ? await readEventTimes(database, [transferId]) : undefined;
  const eventAt = times?.get(transferId) ?? posting.eventAt;
  const currency = currencyIn(names, order.currency);
  return toReward({
    ...posting,
    rewardType: order.reward_type,
    transferId,
    userId: order.user_id,
    currency,
    eventAt,
  });
}

export function registerOperatorRewards(
  app: HttpServer,
  { database, clock }: { database: Database; clock: Clock },
): void {
  app.post(
    '/operator/rewards',
    {
      config: { access: { scopes: ['operator:rewards'] } },
      schema: {
        ...operations.payReward,
        headers: IdempotencyHeaders,
        body: Order,
        response: { 200: Reward },
      },
    },
    async (request) =>
      payReward(database, clock, readRequestKey(request, 'operator-reward'), request.body),
  );
}
