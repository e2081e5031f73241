/** `POST /operator/rewards`: pays a reward into a person's reward wallet. */

import Type, { type Static } from 'typebox';
import type { Database, Transaction } from '../db/index.ts';
import { recordEvents } from '../events/index.ts';
import { type Answer, callerOf, createGroupSender, type HttpServer, Id, IdempotencyHeaders } from '../http/index.ts';
import { type Currency, type Posting, type PostResult, postTransfers, type Reference, readEventTimes, referenceOf, refuseNames } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { Failure, failure } from '../lib/failures.ts';
import { currencyIn } from '../wallets/index.ts';
import { PostingFields, RewardType, settle, toAmount, toEventTime } from './money-input.ts';
import { Reward, toReward } from './reward-form.ts';

const Order = Type.Object({ user_id: Id('Who is rewarded.'), ...PostingFields, reward_type: RewardType }, { additionalProperties: false });

/** A penalty is a debit and passes even if the rewards were spent; everything else is a credit. */
const PENALTY = 'PENALTY';

type Order = Static<typeof Order>;

interface Asked {
  readonly idem: string;
  readonly order: Order;
}

interface Named {
  readonly posting: Posting;
  readonly currency: Currency;
}

function toPosting(names: Reference, now: Date, { idem, order }: Asked): Named {
  const currency = currencyIn(names, order.currency);
  const pool = { house: 'reward_pool' } as const;
  const person = { userId: order.user_id, wallet: 'bonus' } as const;
  const isPenalty = order.reward_type === PENALTY;
  const { node_id, reference, remark } = order;
  const posting = {
    idem,
    debit: isPenalty ? person : pool,
    credit: isPenalty ? pool : person,
    currency: currency.code,
    amount: toAmount(order.amount, currency),
    businessId: order.reward_type === 'REFERRAL' ? 'referral_reward' : 'reward',
    ...toEventTime(order.event_at, now),
    rewardType: order.reward_type,
    mayOverdraw: isPenalty,
    ...(node_id !== undefined && { nodeId: node_id }),
    ...(reference !== undefined && { reference }),
    ...(remark !== undefined && { remark }),
  };
  return { posting, currency };
}

/** One that was paid before, and whose answer is no longer stored, keeps its time. */
async function readPastTimes(tx: Transaction, results: readonly PostResult[]): Promise<ReadonlyMap<number, Date>> {
  const ids = results.flatMap((result) => (result.status === 'replayed' ? result.transferId : []));
  return ids.length > 0 ? readEventTimes(tx, ids) : new Map();
}

/** Pays rewards in one batch; each has its own fate. */
async function payRewards(tx: Transaction, clock: Clock, asked: readonly Asked[]): Promise<(Answer | Failure)[]> {
  const now = clock.now();
  const names = await referenceOf(tx, { currencies: asked.map(({ order }) => order.currency) });
  const named = asked.map((one) => settle(() => toPosting(names, now, one)));
  const good = named.filter((one): one is Named => !(one instanceof Failure));
  // A currency may become known, and a time come.
  await refuseNames(
    tx,
    asked.flatMap(({ idem }, i) => {
      const one = named[i];
      return one instanceof Failure ? { idem, code: one.code } : [];
    }),
  );
  const results = await postTransfers(
    tx,
    good.map(({ posting }) => posting),
  );
  const byName = new Map(good.map(({ posting }, i) => [posting.idem, results[i]]));
  const pastTimes = await readPastTimes(tx, results);
  const rewards = asked.map(({ idem, order }, i) => {
    const one = named[i];
    if (!one || one instanceof Failure) return one ?? failure('internal_error');
    const result = byName.get(idem);
    if (!result || result.status === 'refused') return failure(result?.code ?? 'internal_error');
    const eventAt = pastTimes.get(result.transferId) ?? one.posting.eventAt;
    return toReward({ ...one.posting, transferId: result.transferId, userId: order.user_id, rewardType: order.reward_type, currency: one.currency, eventAt });
  });
  await recordEvents(
    tx,
    clock,
    rewards.flatMap((reward) =>
      reward instanceof Failure || pastTimes.has(reward.id) ? [] : [{ userId: reward.user_id, type: 'reward.posted', data: { ...reward } }],
    ),
  );
  return rewards.map((reward) => (reward instanceof Failure ? reward : { status: 200, body: reward }));
}

export function registerOperatorRewards(app: HttpServer, { database, clock }: { database: Database; clock: Clock }): void {
  const send = createGroupSender<Asked>(database, (tx, asked) => payRewards(tx, clock, asked));
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
    async (request, reply) =>
      send(request, reply, { idem: `operator-reward:${callerOf(request).clientId}:${String(request.headers['idempotency-key'])}`, order: request.body }),
  );
}
