/** Beside the bills of both wallets: a search, sums of intervals, and a month as a document. */
import Type from 'typebox';
import type { Db } from '../db/index.ts';
import {
  callingUserId,
  getCaller,
  type HttpServer,
  type Principal,
  streamOf,
} from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { readLanguage } from '../lib/language.ts';
import { operations } from './operations.ts';
import { IntervalSubtotalsList, StatementQuery, SubtotalsQuery } from './schemas.ts';
import { showFoundBills } from './search-bills.ts';
import { BillSearchPage, BillSearchQuery } from './search-schemas.ts';
import { showSubtotals } from './show-subtotals.ts';
import { type StatementHolder, showStatement } from './statement/show-statement.ts';

const WALLETS = [
  {
    path: '/account',
    wallet: 'asset',
    sum: operations.listSubtotals,
    search: operations.searchBills,
  },
  {
    path: '/bonus-account',
    wallet: 'bonus',
    sum: operations.listRewardSubtotals,
    search: operations.searchRewardBills,
  },
] as const;
const MAY_READ = { access: { scopes: ['account:read'] }, readsFrom: 'standby' } as const;
const PDF = 'application/pdf';

export interface ActivityDeps {
  readonly database: Db;
  readonly clock: Clock;
  /** Where the service is: the address of statements. */
  readonly baseUrl: string;
  /** What the network is called. */
  readonly serviceName: () => string;
  findUser(db: Db, userId: number): Promise<Required<StatementHolder> | undefined>;
}

/** An application sees name and address of its user only where these were granted to it. */
async function readHolder(
  { database, findUser }: ActivityDeps,
  { scopes }: Principal,
  userId: number,
): Promise<StatementHolder> {
  const user = await findUser(database, userId);
  return {
    ...(user && scopes.has('profile') && { nickname: user.nickname }),
    ...(user && scopes.has('email') && { email: user.email }),
  };
}

function registerStatement(app: HttpServer, deps: ActivityDeps): void {
  const { database: db, clock, baseUrl, serviceName } = deps;
  const address = new URL(baseUrl).host;
  app.get(
    '/account/statement',
    {
      config: MAY_READ,
      schema: {
        ...operations.getMonthlyStatement,
        querystring: StatementQuery,
        response: {
          200: {
            description: 'The document.',
            content: { [PDF]: { schema: Type.String({ contentMediaType: PDF }) } },
          },
        },
      },
    },
    async (request, reply) => {
      const { month, language = readLanguage(request.headers['accept-language']) } = request.query;
      const userId = callingUserId(request);
      const holder = await readHolder(deps, getCaller(request), userId);
      const issuer = { name: serviceName(), address };
      const order = { userId, holder, issuer, month, language };
      const pages = await showStatement(db, clock, order);
      reply
        .type(PDF)
        .header('vary', 'Accept-Language')
        .header('content-disposition', `attachment; filename="statement-${month}.pdf"`);
      return reply.send(streamOf(pages) as never);
    },
  );
}

function registerSearches(app: HttpServer, { database }: ActivityDeps): void {
  for (const { path, wallet, search } of WALLETS)
    app.get(
      `${path}/bills/search`,
      {
        config: MAY_READ,
        schema: { ...search, querystring: BillSearchQuery, response: { 200: BillSearchPage } },
      },
      async (request) =>
        showFoundBills(database, { userId: callingUserId(request), wallet }, request.query),
    );
}

export function registerActivity(app: HttpServer, deps: ActivityDeps): void {
  for (const { path, wallet, sum } of WALLETS)
    app.get(
      `${path}/bills/subtotals`,
      {
        config: MAY_READ,
        schema: {
          ...sum,
          querystring: SubtotalsQuery,
          response: { 200: IntervalSubtotalsList },
        },
      },
      async (request) =>
        showSubtotals(
          deps.database,
          { userId: callingUserId(request), wallet },
          request.query.intervals,
        ),
    );
  registerSearches(app, deps);
  registerStatement(app, deps);
}
