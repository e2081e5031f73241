/** `GET /operator/statements/days`: an account of the house, day by day. */

import Type from 'typebox';
import type { Database } from '../db/index.ts';
import { Day, Decimal, type HttpServer } from '../http/index.ts';
import { readHouseDays, referenceOf } from '../ledger/index.ts';
import { addDays, dayRange, daysBetween, listDays, toDay } from '../lib/calendar.ts';
import type { Clock } from '../lib/clock.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { fieldError } from '../lib/failures.ts';
import { currencyIn } from '../wallets/index.ts';
import { accountIn, CODE_MAX, CurrencyCode } from './money-schemas.ts';
import { operations } from './operations/ledger.ts';

const DAYS_MAX = 31;

const Query = Type.Object({
  house: Type.String({
    minLength: 1,
    maxLength: CODE_MAX,
    description: 'An account of the house; `GET /operator/wallets` lists them.',
  }),
  currency: CurrencyCode,
  beginTime: Type.Optional(Day(`First day; default: the ${DAYS_MAX} days up to the last one.`)),
  endTime: Type.Optional(Day('Last day, included; default: today.')),
});

const HouseDays = Type.Object(
  {
    currency: Type.String({ description: 'Currency code.' }),
    days: Type.Array(
      Type.Object({
        date: Type.String({ description: 'Day in UTC, `yyyy-MM-dd`.' }),
        opening_balance: Decimal('Balance at its begin: credits minus debits.'),
        closing_balance: Decimal('Balance at its end, or by now.'),
        bills: Type.Integer({ minimum: 0, description: 'Bills of the day.' }),
      }),
      { description: `At most ${DAYS_MAX} days, newest first.` },
    ),
  },
  { description: 'A statement by days.' },
);

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
}

export function registerHouseDays(app: HttpServer, { database: db, clock }: Deps): void {
  app.get(
    '/operator/statements/days',
    {
      config: { access: { scopes: ['operator:ledger'] }, readsFrom: 'standby' },
      schema: { ...operations.listHouseDays, querystring: Query, response: { 200: HouseDays } },
    },
    async (request) => {
      const { house, endTime = toDay(clock.now()) } = request.query;
      const { beginTime = addDays(endTime, 1 - DAYS_MAX) } = request.query;
      dayRange(beginTime, endTime, 'beginTime');
      if (daysBetween(beginTime, endTime) > DAYS_MAX)
        throw fieldError('beginTime', 'range_too_long', `makes more than ${DAYS_MAX} days`);
      const names = await referenceOf(db, { currencies: [request.query.currency], kinds: [house] });
      accountIn(names, '', { house });
      const currency = currencyIn(names, request.query.currency);
      const days = await readHouseDays(db, house, currency.code, listDays(beginTime, endTime));
      return {
        currency: currency.code,
        days: days.toReversed().map(({ day, opening, closing, bills }) => ({
          date: day,
          opening_balance: exactAmount(opening, currency.scale),
          closing_balance: exactAmount(closing, currency.scale),
          bills,
        })),
      };
    },
  );
}
