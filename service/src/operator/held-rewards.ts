/** `/operator/held-rewards`: the referees whose rewards are held, and their release. */

import Type from 'typebox';
import {
  CappedPage,
  Decimal,
  getCaller,
  type HttpServer,
  Id,
  PageParameters,
  Timestamp,
  toCappedPage,
} from '../http/index.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { TEXT_MAX } from '../lib/text-limits.ts';
import { listHeld, releaseHeld, scaleOfRewards } from '../rewards/index.ts';
import { TextInput } from './money-schemas.ts';
import { operations } from './operations/rules.ts';
import type { OperatorRulesDeps } from './rule-schemas.ts';

/** Who writes rules may release too, and was the first to. */
const config = {
  access: { scopes: ['operator:rules'], orScope: 'operator:held-rewards' },
} as const;

const HeldVO = Type.Object({
  user_id: Type.Integer({ description: 'The referee.' }),
  reason: Type.String({ description: '`shared_address` or `shared_key`.' }),
  held_at: Timestamp('Since when.'),
  amount: Decimal('What waits for the referrers.'),
});

const Release = Type.Object(
  {
    user_id: Id('The referee.'),
    reason: Type.Optional(TextInput('Why, for the audit log alone.', TEXT_MAX.remark)),
  },
  { additionalProperties: false },
);

/** Registers `/operator/held-rewards…`. */
export function registerHeldRewards(
  app: HttpServer,
  { database, clock, rewardCurrency }: OperatorRulesDeps,
): void {
  app.get(
    '/operator/held-rewards',
    {
      config: { ...config, readsFrom: 'standby' },
      schema: {
        ...operations.listHeldRewards,
        querystring: Type.Object(PageParameters),
        response: { 200: CappedPage(HeldVO) },
      },
    },
    async (request) => {
      const scale = await scaleOfRewards(database, rewardCurrency);
      const { held, total } = await listHeld(database, request.query.current, request.query.size);
      const records = held.map(({ userId, reason, heldAt, amount }) => ({
        user_id: userId,
        reason,
        held_at: heldAt.toISOString(),
        amount: exactAmount(BigInt(amount), scale),
      }));
      return toCappedPage(records, total, request.query);
    },
  );
  app.post(
    '/operator/held-rewards/release',
    {
      config,
      schema: {
        ...operations.releaseHeldRewards,
        body: Release,
        response: {
          202: Type.Object({
            settlement_id: Type.Integer({ description: 'The run that pays what was held.' }),
          }),
        },
      },
    },
    async (request, reply) =>
      reply.code(202).send({
        settlement_id: await releaseHeld(
          database,
          clock,
          request.body.user_id,
          getCaller(request).clientId,
        ),
      }),
  );
}
