/** `GET /address/info`, `GET /deposit/records`, `GET /deposit/get/{id}` */

import Type from 'typebox';
import type { Database, Db } from '../db/index.ts';
import { callingUserId, type HttpServer, PathId, parsePathId, toPage } from '../http/index.ts';
import { findCurrency, listCurrencies } from '../ledger/index.ts';
import { dayRange } from '../lib/calendar.ts';
import type { Clock } from '../lib/clock.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { failure, fieldError } from '../lib/failures.ts';
import { UNKNOWN_CURRENCY } from './classify-deposit.ts';
import { findDepositTarget } from './find-deposit-target.ts';
import { issueAddress } from './issue-address.ts';
import { operations } from './operations.ts';
import { showContract } from './parse-address.ts';
import { estimatedSeconds, paymentUri, warningText } from './payment-request.ts';
import { findDeposit, listDeposits, toDepositRecord } from './queries.ts';
import {
  AddressQuery,
  AddressRecord,
  DepositPage,
  DepositRecord,
  RecordsQuery,
} from './schemas.ts';

const ACCESS = { access: { scopes: ['account:read'] } } as const;
const UNKNOWN_DEPOSIT = { detail: 'You have no deposit with this id.' };

export interface DepositRoutesDeps {
  readonly database: Database;
  readonly clock: Clock;
}

async function requireCurrency(database: Db, code: string) {
  const currency = await findCurrency(database, code);
  if (currency) return currency;
  const codes = (await listCurrencies(database)).map((known) => known.code);
  throw fieldError('currency', 'unknown_currency', `must be one of ${codes.join(', ')}`);
}

/** A currency that deposits are shown in. @throws `invalid_parameter` with the list */
export async function requireDepositCurrency(db: Db, code: string): Promise<void> {
  if (code !== UNKNOWN_CURRENCY) await requireCurrency(db, code);
}

async function describeAddress(
  { database, clock }: DepositRoutesDeps,
  userId: number,
  query: { currency: string; currencyNetWork: string },
) {
  const currency = await requireCurrency(database, query.currency);
  const { network, token, known, isDelayed } = await findDepositTarget(
    database,
    { user: userId, network: query.currencyNetWork, currency: currency.code },
    clock.now(),
  );
  if (!network.isEnabled || !token?.isEnabled || token.distrustReason !== undefined) {
    throw failure('network_unavailable', {
      detail: `Deposits of ${currency.code} on ${network.code} are not available here.`,
    });
  }
  const { address, createdAt } = known ?? (await issueAddress(database, clock, userId, network));
  const contract = await showContract(token.contract);
  const shown = { ...token, contract };
  return {
    currency: currency.code,
    currency_network: network.code,
    network_name: network.name,
    address,
    ...(contract !== undefined && { contract_address: contract }),
    decimals: token.decimals,
    min_deposit: exactAmount(token.minDeposit, currency.scale),
    required_confirmations: network.requiredConfirmations,
    estimated_seconds: estimatedSeconds(network),
    ...(isDelayed && { is_delayed: true as const }),
    uri: paymentUri(network, shown, address),
    warning: warningText(network, shown, currency.scale),
    created_at: createdAt.toISOString(),
  };
}

export function registerDeposits(app: HttpServer, deps: DepositRoutesDeps): void {
  const { database } = deps;

  app.get(
    '/address/info',
    {
      config: ACCESS,
      schema: {
        ...operations.getDepositAddress,
        querystring: AddressQuery,
        response: { 200: AddressRecord },
      },
    },
    (request) => describeAddress(deps, callingUserId(request), request.query),
  );

  app.get(
    '/deposit/records',
    {
      config: { ...ACCESS, readsFrom: 'standby' },
      schema: {
        ...operations.listDeposits,
        querystring: RecordsQuery,
        response: { 200: DepositPage },
      },
    },
    async (request) => {
      const { currency, beginTime, endTime, ...page } = request.query;
      const range = dayRange(beginTime, endTime, 'beginTime');
      if (currency !== undefined) await requireDepositCurrency(database, currency);
      const filter = {
        userId: callingUserId(request),
        ...(currency !== undefined && { currency }),
        ...range,
      };
      const { rows, total } = await listDeposits(database, filter, page);
      return toPage(rows.map(toDepositRecord), total, page);
    },
  );

  app.get(
    '/deposit/get/:id',
    {
      config: { ...ACCESS, readsFrom: 'standby' },
      schema: {
        ...operations.getDeposit,
        params: Type.Object({ id: PathId('Deposit.') }),
        response: { 200: DepositRecord },
      },
    },
    async (request) => {
      const id = parsePathId(request.params.id, UNKNOWN_DEPOSIT);
      const row = await findDeposit(database, id, callingUserId(request));
      if (!row) throw failure('not_found', UNKNOWN_DEPOSIT);
      return toDepositRecord(row);
    },
  );
}
