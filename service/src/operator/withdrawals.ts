/** Withdrawals: money is held, then settled whole or in part, or given back. */

import Type, { type Static } from 'typebox';
import type { Database, Db, Transaction } from '../db/index.ts';
import { recordEvent } from '../events/index.ts';
import {
  type HttpServer,
  IdempotencyHeaders,
  PathId,
  parsePathId,
  readRequestKey,
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
import { type Failure, failure } from '../lib/failures.ts';
import { isHoldOfPayout } from '../payouts/index.ts';
import { isFrozen, requireCurrency } from '../wallets/index.ts';
import { toAmount } from './money-schemas.ts';
import { operations } from './operations/money.ts';
import {
  CancelBody,
  SettleBody,
  toWithdrawal,
  WITHDRAWAL_BUSINESS,
  Withdrawal,
  WithdrawalOrder,
} from './withdrawal-schemas.ts';

const LISTED_MAX = 100;
/** Wallet ids are made of it; more would not fit. */
const USER_ID_MAX = 2 ** 47;

/** A refusal of the ledger is returned, not thrown: what it recorded is kept. */
async function finishStep(
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
  order: Static<typeof WithdrawalOrder>,
): Promise<HoldResult> {
  const currency = await requireCurrency(tx, order.currency);
  const amount = toAmount(order.amount, currency);
  const mayNot = await isFrozen(tx, deps, order.user_id);
  return placeHold(tx, {
    ...key,
    account: { userId: order.user_id, wallet: 'asset' },
    currency: currency.code,
    amount,
    businessId: WITHDRAWAL_BUSINESS,
    ...(order.expires_in_s !== undefined && { life_s: order.expires_in_s }),
    ...(order.reference !== undefined && { reference: order.reference }),
    ...(order.remark !== undefined && { remark: order.remark }),
    ...(mayNot && { refusal: 'money_frozen' }),
  });
}

/** The withdrawal of a path. @throws `not_found` */
async function findWithdrawal(db: Db, id: string): Promise<Hold> {
  const found = await findHold(db, parsePathId(id));
  if (found?.businessId !== WITHDRAWAL_BUSINESS) throw failure('not_found');
  return found;
}

/** The withdrawal of a path, to change it. @throws `not_found`, `hold_of_payout` */
async function requireWithdrawal(db: Db, id: string): Promise<Hold> {
  const found = await findWithdrawal(db, id);
  if (await isHoldOfPayout(db, found.id)) throw failure('hold_of_payout');
  return found;
}

const ACCESS = { access: { scopes: ['operator:withdrawals'] } } as const;
const params = Type.Object({ id: PathId('The withdrawal.') });

function registerSettle(app: HttpServer, { database, clock }: OperatorWithdrawalsDeps): void {
  app.post(
    '/operator/withdrawals/:id/settle',
    {
      config: ACCESS,
      schema: {
        ...operations.settleWithdrawal,
        headers: IdempotencyHeaders,
        params,
        body: SettleBody,
        response: { 200: Withdrawal },
      },
    },
    async (request) => {
      const { amount, release_rest, remark } = request.body;
      const key = readRequestKey(request, 'settle');
      return withIdempotencyKey(database, key, async (tx) => {
        const found = await requireWithdrawal(tx, request.params.id);
        const settled = await settleHold(tx, {
          ...key,
          holdId: found.id,
          credit: { house: 'withdrawal_clearing' },
          eventAt: clock.now(),
          ...(amount !== undefined && { amount: toAmount(amount, found.currency) }),
          ...(release_rest !== undefined && { releaseRest: release_rest }),
          ...(remark !== undefined && { remark }),
        });
        return finishStep(tx, clock, 'settled', settled);
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
        ...operations.cancelWithdrawal,
        headers: IdempotencyHeaders,
        params,
        body: CancelBody,
        response: { 200: Withdrawal },
      },
    },
    async (request) => {
      const key = readRequestKey(request, 'cancel');
      return withIdempotencyKey(database, key, async (tx) => {
        const found = await requireWithdrawal(tx, request.params.id);
        return finishStep(
          tx,
          clock,
          'cancelled',
          await cancelHold(tx, { ...key, holdId: found.id }),
        );
      });
    },
  );
  app.get(
    '/operator/withdrawals',
    {
      config: { ...ACCESS, readsFrom: 'standby' },
      schema: {
        ...operations.listWithdrawals,
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
      return holds.filter((hold) => hold.businessId === WITHDRAWAL_BUSINESS).map(toWithdrawal);
    },
  );
  app.get(
    '/operator/withdrawals/:id',
    {
      config: { ...ACCESS, readsFrom: 'standby' },
      schema: { ...operations.getWithdrawal, params, response: { 200: Withdrawal } },
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
        ...operations.createWithdrawal,
        headers: IdempotencyHeaders,
        body: WithdrawalOrder,
        response: { 200: Withdrawal },
      },
    },
    async (request) => {
      const key = readRequestKey(request, 'withdrawal');
      return withIdempotencyKey(deps.database, key, async (tx) =>
        finishStep(tx, deps.clock, 'held', await hold(tx, deps, key, request.body)),
      );
    },
  );
  registerSettle(app, deps);
  registerCancel(app, deps);
}
