/** `/operator/settlements`: the runs of the settlement, and how an operator closes one. */

import Type from 'typebox';
import {
  CappedPage,
  Decimal,
  getCaller,
  type HttpServer,
  INTEGER_ID,
  PageParameters,
  PathId,
  parsePathId,
  StringEnum,
  Timestamp,
  toCappedPage,
} from '../http/index.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { closeSettlement, listSettlements, scaleOfRewards } from '../rewards/index.ts';
import { operations } from './operations/rules.ts';
import { config, type OperatorRulesDeps } from './rule-schemas.ts';

const SettlementVO = Type.Object({
  id: Type.Integer({ description: 'The run.' }),
  kind: Type.String({ description: '`hour`, `correction` or `release`.' }),
  hour: Timestamp('The hour settled, or in which the run was made.'),
  rule_version: Type.Integer({ description: 'Version of the rules; 0: each line names its own.' }),
  state: Type.String({
    description:
      '`open`: being computed; `computed`: waits for the payment of its day; `posting`; `settled`.',
  }),
  lines: Type.Integer({ description: 'Lines found.' }),
  posted: Type.Integer({ description: 'Lines done.' }),
  refused: Type.Integer({
    description: 'Lines that were refused: by the ledger, or it was closed.',
  }),
  amount: Decimal('Net amount.'),
  root: Type.Optional(Type.String({ description: 'Root of its tree.' })),
  settled_at: Type.Optional(Timestamp('When it was done.')),
  failure: Type.Optional(
    Type.String({ description: 'Why the last try failed; it is tried again every 30 s.' }),
  ),
  close_reason: Type.Optional(
    Type.String({ description: 'Why an operator closed it without what was left of it.' }),
  ),
});
const Query = Type.Object({
  ...PageParameters,
  state: Type.Optional(
    StringEnum(['unfinished'], 'Only runs that wait, are being paid, or failed. Absent: all.'),
  ),
});
const Closing = Type.Object(
  { reason: Type.String({ minLength: 1, maxLength: 500, description: 'Why; kept with the run.' }) },
  { additionalProperties: false },
);

function registerClosing(app: HttpServer, { database, clock }: OperatorRulesDeps): void {
  app.post(
    '/operator/settlements/:id/close',
    {
      config,
      schema: {
        ...operations.closeSettlement,
        params: Type.Object({ id: PathId('The run.') }),
        body: Closing,
        response: { 202: Type.Object({ id: Type.Integer({ description: 'The run.' }) }) },
      },
    },
    async (request, reply) => {
      const id = parsePathId(request.params.id, INTEGER_ID);
      await closeSettlement(database, clock, {
        id,
        by: getCaller(request).clientId,
        reason: request.body.reason,
      });
      return reply.code(202).send({ id });
    },
  );
}

/** Registers `/operator/settlements…`. */
export function registerSettlements(app: HttpServer, deps: OperatorRulesDeps): void {
  const { database, rewardCurrency } = deps;
  app.get(
    '/operator/settlements',
    {
      config: { ...config, readsFrom: 'standby' },
      schema: {
        ...operations.listSettlements,
        querystring: Query,
        response: { 200: CappedPage(SettlementVO) },
      },
    },
    async (request) => {
      const scale = await scaleOfRewards(database, rewardCurrency);
      const { current, size, state } = request.query;
      const { settlements, total } = await listSettlements(database, {
        current,
        size,
        isUnfinished: state === 'unfinished',
      });
      const records = settlements.map(
        ({ ruleVersion, settledAt, root, amount, hour, failure, closeReason, ...rest }) => ({
          ...rest,
          hour: hour.toISOString(),
          rule_version: ruleVersion,
          amount: exactAmount(BigInt(amount), scale),
          ...(root !== null && { root }),
          ...(settledAt !== null && { settled_at: settledAt.toISOString() }),
          ...(failure !== null && { failure }),
          ...(closeReason !== null && { close_reason: closeReason }),
        }),
      );
      return toCappedPage(records, total, request.query);
    },
  );
  registerClosing(app, deps);
}
