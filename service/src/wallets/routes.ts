/** The asset wallet (`/account`) and the reward wallet (`/bonus-account`). */

import Type from 'typebox';
import type { Database, Db } from '../db/index.ts';
import {
  callingUserId,
  type HttpServer,
  IdempotencyHeaders,
  type OperationSchema,
  prefersCsv,
  readRequestKey,
  streamOf,
} from '../http/index.ts';
import { isOverdrawn, type UserWallet, withIdempotencyKey } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import { type ActivityDeps, registerActivity } from './activity-routes.ts';
import { convertRewards, findConverted } from './convert-rewards.ts';
import { exportBills } from './export-bills.ts';
import { requireCurrency } from './filters.ts';
import { operations } from './operations.ts';
import { quoteConversion } from './quote-conversion.ts';
import {
  AccountList,
  AssetQuery,
  AssetSummary,
  BillFilterQuery,
  BillPage,
  BillQuery,
  BillRecord,
  Conversion,
  ConvertOrder,
  CurrencyQuery,
  Quote,
  QuoteOrder,
  RewardAssetList,
} from './schemas.ts';
import { showAssetSummary } from './show-asset-summary.ts';
import { showAccounts, showRewardAssets } from './show-balances.ts';
import { showBills } from './show-bills.ts';

export interface WalletsDeps extends ActivityDeps {
  readonly database: Database;
  /** What wallets are valued in, where a request names nothing else. */
  readonly displayCurrency: string;
  /**
   * True while the person may neither convert nor withdraw, for example after a reset by email
   * alone.
   */
  isMoneyFrozen(db: Db, clock: Clock, userId: number): Promise<boolean>;
}

const MAY_READ = { access: { scopes: ['account:read'] }, readsFrom: 'standby' } as const;
const MAY_WRITE = { access: { scopes: ['wallet:write'] } } as const;

/**
 * True while a person may neither convert nor withdraw: frozen by their sign-in, or by what they
 * owe.
 */
export async function isFrozen(
  db: Db,
  deps: Pick<WalletsDeps, 'clock' | 'isMoneyFrozen'>,
  userId: number,
): Promise<boolean> {
  return (await deps.isMoneyFrozen(db, deps.clock, userId)) || (await isOverdrawn(db, userId));
}

interface BillExport {
  readonly path: string;
  readonly wallet: UserWallet;
  readonly operation: OperationSchema;
}

function registerExport(
  app: HttpServer,
  db: Database,
  { path, wallet, operation }: BillExport,
): void {
  app.get(
    `${path}/bills/export`,
    {
      config: MAY_READ,
      schema: {
        ...operation,
        querystring: BillFilterQuery,
        response: {
          200: {
            description: 'The bills.',
            content: {
              'application/json': { schema: Type.Array(BillRecord) },
              'text/csv': { schema: Type.String() },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const format = prefersCsv(request) ? 'csv' : 'json';
      const text = await exportBills(
        db,
        { userId: callingUserId(request), wallet },
        request.query,
        {
          format,
          amountsAsStrings: request.wantsAmountsAsStrings,
        },
      );
      reply
        .header('vary', 'Accept')
        .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8');
      if (format === 'csv') reply.header('content-disposition', 'attachment; filename="bills.csv"');
      return reply.send(streamOf(text) as never);
    },
  );
}

const WALLETS = [
  {
    path: '/account',
    wallet: 'asset',
    list: operations.listBills,
    export: operations.exportBills,
    value: operations.getAssetSummary,
  },
  {
    path: '/bonus-account',
    wallet: 'bonus',
    list: operations.listRewardBills,
    export: operations.exportRewardBills,
    value: operations.getRewardAssetSummary,
  },
] as const;

function registerReads(app: HttpServer, { database: db }: WalletsDeps): void {
  app.get(
    '/account/info',
    {
      config: MAY_READ,
      schema: {
        ...operations.listBalances,
        querystring: CurrencyQuery,
        response: { 200: AccountList },
      },
    },
    async (request) => {
      const { currency } = request.query;
      if (currency !== undefined) await requireCurrency(db, currency);
      return showAccounts(db, callingUserId(request), currency);
    },
  );
  app.get(
    '/bonus-account/info',
    {
      config: MAY_READ,
      schema: {
        ...operations.listRewardBalances,
        querystring: CurrencyQuery,
        response: { 200: RewardAssetList },
      },
    },
    async (request) => {
      const { currency } = request.query;
      if (currency !== undefined) await requireCurrency(db, currency);
      return showRewardAssets(db, callingUserId(request), currency);
    },
  );
}

function registerWalletReads(app: HttpServer, deps: WalletsDeps): void {
  const { database: db, clock, displayCurrency } = deps;
  for (const { path, wallet, ...named } of WALLETS) {
    app.get(
      `${path}/bills`,
      {
        config: MAY_READ,
        schema: {
          ...named.list,
          querystring: BillQuery,
          response: { 200: BillPage },
        },
      },
      async (request) => showBills(db, callingUserId(request), wallet, request.query),
    );
    registerExport(app, db, { path, wallet, operation: named.export });
    app.get(
      `${path}/asset`,
      {
        config: MAY_READ,
        schema: {
          ...named.value,
          querystring: AssetQuery,
          response: { 200: AssetSummary },
        },
      },
      async (request) =>
        showAssetSummary(
          db,
          clock,
          { userId: callingUserId(request), wallet },
          request.query.quoteCurrency ?? displayCurrency,
        ),
    );
  }
}

function registerConversion(app: HttpServer, deps: WalletsDeps): void {
  const { database: db, clock } = deps;
  app.post(
    '/bonus-account/convert/quote',
    {
      config: MAY_WRITE,
      schema: { ...operations.createConversionQuote, body: QuoteOrder, response: { 200: Quote } },
    },
    async (request) => quoteConversion(db, clock, callingUserId(request), request.body),
  );
  app.post(
    '/bonus-account/convert',
    {
      config: MAY_WRITE,
      schema: {
        ...operations.convertRewards,
        headers: IdempotencyHeaders,
        body: ConvertOrder,
        response: { 200: Conversion },
      },
    },
    async (request) => {
      const userId = callingUserId(request);
      const key = readRequestKey(request, 'convert');
      return withIdempotencyKey(db, key, async (tx) => {
        const order = { quoteId: request.body.quote_id, key: key.idempotencyKey };
        const before = await findConverted(tx, userId, order);
        if (before) return before;
        if (await isFrozen(tx, deps, userId)) throw failure('money_frozen');
        return convertRewards(tx, clock, userId, order);
      });
    },
  );
}

export function registerWallets(app: HttpServer, deps: WalletsDeps): void {
  registerReads(app, deps);
  registerWalletReads(app, deps);
  registerActivity(app, deps);
  registerConversion(app, deps);
}
