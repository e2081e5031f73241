/** Sums of both wallets beside their bills. */
import type { Db } from '../db/index.ts';
import { callingUserId, type HttpServer } from '../http/index.ts';
import { operations } from './operations.ts';
import { IntervalSubtotalsList, SubtotalsQuery } from './schemas.ts';
import { showSubtotals } from './show-subtotals.ts';

const WALLETS = [
  { path: '/account', wallet: 'asset', operation: operations.listSubtotals },
  { path: '/bonus-account', wallet: 'bonus', operation: operations.listRewardSubtotals },
] as const;

export function registerActivity(app: HttpServer, db: Db): void {
  for (const { path, wallet, operation } of WALLETS)
    app.get(
      `${path}/bills/subtotals`,
      {
        config: { access: { scopes: ['account:read'] } },
        schema: {
          ...operation,
          querystring: SubtotalsQuery,
          response: { 200: IntervalSubtotalsList },
        },
      },
      async (request) =>
        showSubtotals(db, { userId: callingUserId(request), wallet }, request.query.intervals),
    );
}
