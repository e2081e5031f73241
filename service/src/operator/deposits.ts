/**
 * `/operator/deposits`: operators list deposits, and hold, release or reject those that are not
 * credited yet.
 */

import Type from 'typebox';
import type { Database } from '../db/index.ts';
import {
  DEPOSIT_STATUSES,
  type Decision,
  type DepositFilter,
  DepositRecord,
  type DepositRow,
  listDepositsOfAll,
  requireDepositCurrency,
  requireNetwork,
  reviewDeposit,
  toDepositRecord,
} from '../deposits/index.ts';
import {
  CappedPage,
  Day,
  type HttpServer,
  Id,
  IdempotencyHeaders,
  type OperationSchema,
  PageParameters,
  PathId,
  parsePathId,
  StringEnum,
  sendIdempotent,
  toCappedPage,
} from '../http/index.ts';
import { dayRange } from '../lib/calendar.ts';
import type { Clock } from '../lib/clock.ts';
import { operations } from './operations/chains.ts';

/** Who sets networks up may decide too, and was the first to. */
const ACCESS = {
  access: { scopes: ['operator:chains'], orScope: 'operator:deposits' },
} as const;
const REASON_MAX = 500;

const OperatorDeposit = Type.Object(
  { user_id: Id('The person whose deposit it is.'), ...DepositRecord.properties },
  { description: 'One deposit.' },
);

function toOperatorDeposit(row: DepositRow) {
  return { user_id: row.user_id, ...toDepositRecord(row) };
}

const ListQuery = Type.Object({
  userId: Type.Optional(Id('Only of this person.')),
  currency: Type.Optional(
    Type.String({
      maxLength: 32,
      description: 'Only this currency; `UNKNOWN` for tokens that are not supported.',
    }),
  ),
  currencyNetWork: Type.Optional(
    Type.String({ maxLength: 32, description: 'Only on this network.' }),
  ),
  status: Type.Optional(StringEnum(DEPOSIT_STATUSES, 'Only with this status.')),
  beginTime: Type.Optional(Day('First day, by `detected_at`, UTC.')),
  endTime: Type.Optional(Day('Last day, by `detected_at`, UTC.')),
  ...PageParameters,
});

const OPERATIONS: Readonly<Record<Decision, OperationSchema>> = {
  hold: operations.holdDeposit,
  release: operations.releaseDeposit,
  reject: operations.rejectDeposit,
};

interface DepositDeps {
  readonly database: Database;
  readonly clock: Clock;
}

function registerList(app: HttpServer, database: Database): void {
  app.get(
    '/operator/deposits',
    {
      config: { ...ACCESS, readsFrom: 'standby' },
      schema: {
        ...operations.listAllDeposits,
        querystring: ListQuery,
        response: { 200: CappedPage(OperatorDeposit) },
      },
    },
    async (request) => {
      const {
        userId,
        currency,
        currencyNetWork: network,
        status,
        beginTime,
        endTime,
        ...page
      } = request.query;
      if (network !== undefined) await requireNetwork(database, network, 'currencyNetWork');
      if (currency !== undefined) await requireDepositCurrency(database, currency);
      const filter: DepositFilter = {
        ...dayRange(beginTime, endTime, 'beginTime'),
        ...(userId !== undefined && { userId }),
        ...(currency !== undefined && { currency }),
        ...(network !== undefined && { network }),
        ...(status !== undefined && { status }),
      };
      const { rows, total } = await listDepositsOfAll(database, filter, page);
      return toCappedPage(rows.map(toOperatorDeposit), total, page);
    },
  );
}

function registerDecisions(app: HttpServer, { database, clock }: DepositDeps): void {
  for (const decision of ['hold', 'release', 'reject'] as const) {
    app.post(
      `/operator/deposits/:id/${decision}`,
      {
        config: ACCESS,
        schema: {
          headers: IdempotencyHeaders,
          ...OPERATIONS[decision],
          params: Type.Object({ id: PathId('Deposit.') }),
          body: Type.Object(
            {
              reason: Type.Optional(
                Type.String({
                  minLength: 1,
                  maxLength: REASON_MAX,
                  description:
                    'Shown to the person whose deposit it is. Default: that an operator did so.',
                }),
              ),
            },
            { additionalProperties: false },
          ),
          response: { 200: OperatorDeposit },
        },
      },
      async (request, reply) => {
        await sendIdempotent(database, request, reply, async (tx) => {
          const detail = 'There is no deposit with this id.';
          const id = parsePathId(request.params.id, { detail });
          return {
            status: 200,
            body: toOperatorDeposit(
              await reviewDeposit(tx, clock, id, { decision, reason: request.body.reason }),
            ),
          };
        });
        return reply;
      },
    );
  }
}

/** Registers `/operator/deposits…`. */
export function registerOperatorDeposits(app: HttpServer, deps: DepositDeps): void {
  registerList(app, deps.database);
  registerDecisions(app, deps);
}
