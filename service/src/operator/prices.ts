/** `/operator/prices`: prices that conversions and asset summaries use. */

import Type from 'typebox';
import type { Database } from '../db/index.ts';
import { Decimal, DecimalInput, getCaller, type HttpServer, Timestamp } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { exactAmount } from '../lib/exact-json.ts';
import {
  listPrices,
  PRICE_SCALE,
  type Price,
  parsePrice,
  requireCurrency,
  setPrice,
} from '../wallets/index.ts';
import { CurrencyCode } from './money-schemas.ts';
import { operations } from './operations/prices.ts';

const Order = Type.Object(
  {
    currency: CurrencyCode,
    quote_currency: CurrencyCode,
    price: DecimalInput(
      'Units of `quote_currency` for one unit of `currency`; at most 30 decimals.',
    ),
    priced_at: Type.Optional(Timestamp('When the price was made; default: now.')),
  },
  { additionalProperties: false },
);

const PriceRecord = Type.Object(
  {
    currency: CurrencyCode,
    quote_currency: CurrencyCode,
    price: Decimal('Units of `quote_currency` for one unit of `currency`.'),
    priced_at: Timestamp('When the price was made.'),
    source: Type.String({ description: '`operator:CLIENT` or `feed:NAME`.' }),
  },
  { $id: 'Price', description: 'A price.' },
);
const PriceList = Type.Array(PriceRecord, { description: 'The newest price of each pair.' });

function toRecord({ currency, quoteCurrency, price, pricedAt, source }: Price) {
  return {
    currency,
    quote_currency: quoteCurrency,
    price: exactAmount(price, PRICE_SCALE),
    priced_at: pricedAt.toISOString(),
    source,
  };
}

const ACCESS = { access: { scopes: ['operator:prices'] } } as const;

export function registerOperatorPrices(
  app: HttpServer,
  { database: db, clock }: { database: Database; clock: Clock },
): void {
  app.post(
    '/operator/prices',
    {
      config: ACCESS,
      schema: { ...operations.setPrice, body: Order, response: { 200: PriceList } },
    },
    async (request) => {
      const { currency, quote_currency, price, priced_at } = request.body;
      await setPrice(db, clock, {
        currency: await requireCurrency(db, currency),
        quoteCurrency: await requireCurrency(db, quote_currency, 'quote_currency'),
        price: parsePrice(price),
        pricedAt: priced_at === undefined ? clock.now() : new Date(priced_at),
        source: `operator:${getCaller(request).clientId}`,
      });
      return (await listPrices(db)).map(toRecord);
    },
  );
  app.get(
    '/operator/prices',
    {
      config: { ...ACCESS, readsFrom: 'standby' },
      schema: { ...operations.listPrices, response: { 200: PriceList } },
    },
    async () => (await listPrices(db)).map(toRecord),
  );
}
