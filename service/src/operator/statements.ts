/** `GET /operator/statements`: what any account had, what happened, what it has. */

import Type, { type Static } from 'typebox';
import type { Database, Db } from '../db/index.ts';
import { Day, Decimal, type HttpServer, Id, PageParameters, toPage } from '../http/index.ts';
import { findUser } from '../identity/index.ts';
import {
  type AccountRef,
  type Currency,
  type Statement as LedgerStatement,
  MERGED_MAX,
  readHouseBalances,
  readHouseStatement,
  readStatement,
  referenceOf,
  SHARDS,
} from '../ledger/index.ts';
import { dayRange } from '../lib/calendar.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { failure, fieldError } from '../lib/failures.ts';
import { BillRecord, currencyIn, toBillRecord } from '../wallets/index.ts';
import { AccountFields, accountIn, CurrencyCode } from './money-schemas.ts';
import { operations } from './operations/ledger.ts';

const Query = Type.Object({
  userId: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'A person; with `wallet`.',
    }),
  ),
  ...AccountFields,
  shard: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 15,
      description:
        'Only this one of the 16 shards of a house account. Absent: the whole account, its ' +
        'shards merged by time.',
    }),
  ),
  currency: CurrencyCode,
  beginTime: Type.Optional(Day('First day.')),
  endTime: Type.Optional(Day('Last day, included.')),
  ...PageParameters,
});

const StatementRecord = Type.Object({
  ...BillRecord.properties,
  transfer_id: Id(
    'The transfer that the bill is one side of: what `/operator/transfers/{id}/reverse` takes.',
  ),
});

const Statement = Type.Object(
  {
    currency: Type.String(),
    shard: Type.Optional(
      Type.Integer({
        description: 'The shard asked for: balances and bills are of this one alone.',
      }),
    ),
    shards: Type.Optional(
      Type.Integer({ description: 'Of a house account: how many shards it has.' }),
    ),
    opening_balance: Decimal('Balance, held part included, before the first bill of the range.'),
    closing_balance: Decimal('The same after its last bill.'),
    records: Type.Array(StatementRecord, { description: 'Newest first.' }),
    total: Type.Integer({ description: 'Bills on all pages together.' }),
    size: Type.Integer(),
    current: Type.Integer(),
    pages: Type.Integer(),
  },
  { $id: 'Statement', description: 'A page of a statement.' },
);

const HouseBalances = Type.Array(
  Type.Object({
    account: Type.String({
      description: 'An account of the house, or `users` for all people together.',
    }),
    currency: Type.String(),
    balance: Decimal('Credits minus debits.'),
    headroom: Type.Optional(
      Decimal(
        'How much can still be posted through the fullest shard of the account, in either ' +
          'direction: the debits and the credits of a shard each hold at most 10^78 - 1 minor ' +
          'units. Absent for `users`.',
      ),
    ),
  }),
  { description: 'Per currency they sum to zero.' },
);

const ACCESS = { access: { scopes: ['operator:ledger'] } } as const;

async function readAny(
  db: Db,
  account: AccountRef,
  currency: Currency,
  query: Static<typeof Query>,
): Promise<LedgerStatement> {
  const { shard, current, size, beginTime, endTime } = query;
  const page = { ...dayRange(beginTime, endTime, 'beginTime'), currency, current, size };
  if (!('house' in account) || shard !== undefined)
    return readStatement(db, account, { ...page, ...(shard !== undefined && { shard }) });
  const statement = await readHouseStatement(db, account.house, page);
  if (!statement)
    throw fieldError(
      'current',
      'too_deep',
      `goes deeper than ${MERGED_MAX} bills of a whole account: give days, or a shard`,
    );
  return statement;
}

export function registerOperatorStatements(
  app: HttpServer,
  { database: db }: { database: Database },
): void {
  app.get(
    '/operator/statements',
    {
      config: { ...ACCESS, readsFrom: 'standby' },
      schema: { ...operations.getStatement, querystring: Query, response: { 200: Statement } },
    },
    async (request) => {
      const { userId, wallet, house, shard, current, size } = request.query;
      const names = await referenceOf(db, {
        currencies: [request.query.currency],
        kinds: [wallet, house].flatMap((code) => code ?? []),
      });
      const account = accountIn(names, '', {
        ...(userId !== undefined && { user_id: userId }),
        ...(wallet !== undefined && { wallet }),
        ...(house !== undefined && { house }),
      });
      const currency = currencyIn(names, request.query.currency);
      if (shard !== undefined && house === undefined)
        throw fieldError(
          'shard',
          'not_of_a_person',
          'is of accounts of the house: those of people have none',
        );
      if (userId !== undefined && !(await findUser(db, userId))) throw failure('unknown_user');
      const { opening, closing, bills, total } = await readAny(
        db,
        account,
        currency,
        request.query,
      );
      return {
        currency: currency.code,
        ...(house !== undefined && { ...(shard !== undefined && { shard }), shards: SHARDS }),
        opening_balance: exactAmount(opening, currency.scale),
        closing_balance: exactAmount(closing, currency.scale),
        ...toPage(bills.map(toBillRecord), total, { current, size }),
      };
    },
  );
  app.get(
    '/operator/ledger/accounts',
    {
      config: { ...ACCESS, readsFrom: 'standby' },
      schema: { ...operations.listLedgerAccounts, response: { 200: HouseBalances } },
    },
    async () =>
      (await readHouseBalances(db)).map(({ account, currency, scale, balance, headroom }) => ({
        account,
        currency,
        balance: exactAmount(balance, scale),
        ...(headroom !== undefined && { headroom: exactAmount(headroom, scale) }),
      })),
  );
}
