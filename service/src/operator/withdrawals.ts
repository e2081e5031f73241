/** Withdrawals: money is held, then settled whole or in part, or given back. */
import Type, { type Static } from 'typebox';
import type { Database, Db, Transaction } from '../db/index.ts';
import { recordEvent } from '../events/index.ts';
import {
  Decimal,
  DecimalInput,
  type HttpServer,
  Id,
  IdempotencyHeaders,
  requestKeyOf,
  Timestamp,
  Words,
} from '../http/index.ts';
import {
  cancelHold,
  findHold,
  type Hold,
  type HoldResult,
  listHolds,
  placeHold,
  type RequestKey,
  settleHold,
  toFailure,
  withIdempotencyKey,
} from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { type Failure, failure } from '../lib/failures.ts';
import { isFrozen, requireCurrency } from '../wallets/index.ts';
import { TextInput, toAmount } from './money-schemas.ts';

const BUSINESS = 'withdrawal';
const LIFE_MAX_S = 31_536_000;
const LISTED_MAX = 100;
/** Wallet ids are made of it; more would not fit. */
const USER_ID_MAX = 2 ** 47;

const Order = Type.Object(
  {
    user_id: Id('Whose money.'),
    currency: Type.String({ minLength: 1, maxLength: 64, description: 'Currency code.' }),
    amount: DecimalInput('Positive.'),
    expires_in_s: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIFE_MAX_S,
        description: 'Seconds after which the money is given back by itself.',
      }),
    ),
    reference: Type.Optional(TextInput("The business server's own reference.")),
    remark: Type.Optional(TextInput('Shown in the bill.', 500)),
  },
  { additionalProperties: false },
);

const Withdrawal = Type.Object(
  {
    id: Id('The withdrawal.'),
    user_id: Id('Whose money.'),
    currency: Type.String(),
    amount: Decimal('Held at first.'),
    remaining: Decimal('Still held.'),
    settled: Decimal(
      'Paid out so far; of a withdrawal that was `cancelled` or `expired`, the part that was paid before the rest was given back.',
    ),
    reversed: Type.Optional(
      Decimal(
        'Of what was paid out: undone since, by reversing its transfers. Absent when nothing was.',
      ),
    ),
    status: Words(
      ['held', 'settled', 'cancelled', 'expired'],
      'What became of the last part: see `settled` for how much was paid, and `reversed` for how much of it was undone.',
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

function toWithdrawal(hold: Hold): Static<typeof Withdrawal> {
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

/** A refusal of the ledger is returned, not thrown: what it recorded is kept. */
async function answer(
  tx: Transaction,
  clock: Clock,
  what: 'held' | 'settled' | 'cancelled',
  result: HoldResult,
): Promise<Static<typeof Withdrawal> | Failure> {
  if (result.status === 'refused') return toFailure(result);
  const { hold: held, transferId } = result;
  const withdrawal = {
    ...toWithdrawal(held),
    ...(transferId !== null && { transfer_id: transferId }),
  };
  if (result.status === 'done') {
    await recordEvent(tx, clock, {
      userId: held.userId,
      type: `withdrawal.${what}`,
      data: withdrawal,
    });
  }
  return withdrawal;
}

export interface OperatorWithdrawalsDeps {
  readonly database: Database;
  readonly clock: Clock;
  isMoneyFrozen(db: Db, clock: Clock, userId: number): Promise<boolean>;
}

async function hold(
  tx: Transaction,
  deps: OperatorWithdrawalsDeps,
  key: RequestKey,
  order: Static<typeof Order>,
): Promise<HoldResult> {
  const currency = await requireCurrency(tx, order.currency);
  const amount = toAmount(order.amount, currency);
  const mayNot = await isFrozen(tx, deps, order.user_id);
  return placeHold(tx, {
    ...key,
    account: { userId: order.user_id, wallet: 'asset' },
    currency: currency.code,
    amount,
    businessId: BUSINESS,
    ...(order.expires_in_s !== undefined && { life_s: order.expires_in_s }),
    ...(order.reference !== undefined && { reference: order.reference }),
    ...(order.remark !== undefined && { remark: order.remark }),
    ...(mayNot && { refusal: 'money_frozen' }),
  });
}

/** The withdrawal of a path. @throws `not_found` */
async function findWithdrawal(db: Db, id: string): Promise<Hold> {
  const isId = /^[1-9]\d{0,15}$/.test(id) && Number.isSafeInteger(Number(id));
  const found = isId ? await findHold(db, Number(id)) : undefined;
  if (found?.businessId !== BUSINESS) throw failure('not_found');
  return found;
}

const ACCESS = { access: { scopes: ['operator:withdrawals'] } } as const;
const tags = ['operator'];
const params = Type.Object({ id: Type.String({ description: 'The withdrawal.' }) });

function registerSettle(app: HttpServer, { database, clock }: OperatorWithdrawalsDeps): void {
  const body = Type.Object(
    {
      amount: Type.Optional(DecimalInput('How much was paid out; default: all that remains.')),
      release_rest: Type.Optional(
        Type.Boolean({
          description: 'Gives back what remains after this part; default: it stays held.',
        }),
      ),
      remark: Type.Optional(TextInput('Shown in the bill.', 500)),
    },
    { additionalProperties: false },
  );
  app.post(
    '/operator/withdrawals/:id/settle',
    {
      config: ACCESS,
      schema: {
        headers: IdempotencyHeaders,
        tags,
        summary: 'Settle a withdrawal, whole or in part',
        description:
          'Records what was paid out, so it passes even if money of the person was frozen since, or the account closed: what was held covers it. Before paying, make sure that it may still be paid. Needs an `Idempotency-Key`.',
        params,
        body,
        response: { 200: Withdrawal },
      },
    },
    async (request) => {
      const { amount, release_rest, remark } = request.body;
      const key = requestKeyOf(request, 'settle');
      return withIdempotencyKey(database, key, async (tx) => {
        const found = await findWithdrawal(tx, request.params.id);
        const settled = await settleHold(tx, {
          ...key,
          holdId: found.id,
          credit: { house: 'withdrawal_clearing' },
          eventAt: clock.now(),
          ...(amount !== undefined && { amount: toAmount(amount, found.currency) }),
          ...(release_rest !== undefined && { releaseRest: release_rest }),
          ...(remark !== undefined && { remark }),
        });
        return answer(tx, clock, 'settled', settled);
      });
    },
  );
}

function registerCancel(app: HttpServer, { database, clock }: OperatorWithdrawalsDeps): void {
  app.post(
    '/operator/withdrawals/:id/cancel',
    {
      config: ACCESS,
      schema: {
        headers: IdempotencyHeaders,
        tags,
        summary: 'Give back what is held',
        description: 'Needs an `Idempotency-Key`.',
        params,
        response: { 200: Withdrawal },
      },
    },
    async (request) => {
      const key = requestKeyOf(request, 'cancel');
      return withIdempotencyKey(database, key, async (tx) => {
        const found = await findWithdrawal(tx, request.params.id);
        return answer(tx, clock, 'cancelled', await cancelHold(tx, { ...key, holdId: found.id }));
      });
    },
  );
  app.get(
    '/operator/withdrawals',
    {
      config: ACCESS,
      schema: {
        tags,
        summary: `The last ${LISTED_MAX} withdrawals of a person`,
        querystring: Type.Object({
          userId: Type.Integer({ minimum: 1, maximum: USER_ID_MAX, description: 'Whose.' }),
        }),
        response: { 200: Type.Array(Withdrawal, { description: 'Newest first.' }) },
      },
    },
    async (request) => {
      const holds = await listHolds(
        database,
        { userId: request.query.userId, wallet: 'asset' },
        LISTED_MAX,
      );
      return holds.filter((hold) => hold.businessId === BUSINESS).map(toWithdrawal);
    },
  );
  app.get(
    '/operator/withdrawals/:id',
    {
      config: ACCESS,
      schema: { tags, summary: 'One withdrawal', params, response: { 200: Withdrawal } },
    },
    async (request) => toWithdrawal(await findWithdrawal(database, request.params.id)),
  );
}

export function registerOperatorWithdrawals(app: HttpServer, deps: OperatorWithdrawalsDeps): void {
  app.post(
    '/operator/withdrawals',
    {
      config: ACCESS,
      schema: {
        headers: IdempotencyHeaders,
        tags,
        summary: 'Hold money for a withdrawal',
        description: 'Of the asset wallet. Needs an `Idempotency-Key`.',
        body: Order,
        response: { 200: Withdrawal },
      },
    },
    async (request) => {
      const key = requestKeyOf(request, 'withdrawal');
      return withIdempotencyKey(deps.database, key, async (tx) =>
        answer(tx, deps.clock, 'held', await hold(tx, deps, key, request.body)),
      );
    },
  );
  registerSettle(app, deps);
  registerCancel(app, deps);
}
