/** `/operator/price-feeds`: https addresses that prices are fetched from. */

import Type from 'typebox';
import type { Database } from '../db/index.ts';
import { type HttpServer, type Outgoing, Timestamp } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import {
  deletePriceFeed,
  listPriceFeeds,
  type PriceFeed,
  putPriceFeed,
  requireCurrency,
} from '../wallets/index.ts';
import { CurrencyCode } from './money-schemas.ts';
import { operations } from './operations/prices.ts';

const Name = Type.String({ description: 'Lower-case letters, digits and hyphens.' });

const Settings = {
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'Asked by GET; https only, no private addresses, no redirects, 5 s, 64 KB.',
  }),
  pointer: Type.String({
    maxLength: 256,
    pattern: '^(/[^/]*)*$',
    description:
      'JSON pointer (RFC 6901) to the price in the answer, for example `/data/0/last`: a ' +
      'number, or a string that holds one. Read digit by digit, exponents too; more than 30 ' +
      'decimals are rounded half to even.',
  }),
  currency: CurrencyCode,
  quote_currency: CurrencyCode,
  every_s: Type.Integer({
    minimum: 10,
    maximum: 86_400,
    description: 'Seconds between two requests.',
  }),
};
const Order = Type.Object(Settings, { additionalProperties: false });
const Feed = Type.Object(
  {
    name: Name,
    ...Settings,
    last_success_at: Type.Optional(Timestamp('When it last brought a price.')),
    last_error: Type.Optional(Type.String({ description: 'Why the last request brought none.' })),
  },
  { $id: 'PriceFeed', description: 'A source of prices.' },
);
const Feeds = Type.Array(Feed, { description: 'By name.' });

function toRecord({
  name,
  url,
  pointer,
  currency,
  quoteCurrency,
  every_s,
  lastSuccessAt,
  lastError,
}: PriceFeed) {
  return {
    name,
    url,
    pointer,
    currency,
    quote_currency: quoteCurrency,
    every_s,
    ...(lastSuccessAt !== null && { last_success_at: lastSuccessAt.toISOString() }),
    ...(lastError !== null && { last_error: lastError }),
  };
}

const ACCESS = { access: { scopes: ['operator:prices'] } } as const;
const params = Type.Object({ name: Name });

export function registerPriceFeeds(
  app: HttpServer,
  { database: db, clock, outgoing }: { database: Database; clock: Clock; outgoing: Outgoing },
): void {
  app.put(
    '/operator/price-feeds/:name',
    {
      config: ACCESS,
      schema: { ...operations.putPriceFeed, params, body: Order, response: { 200: Feeds } },
    },
    async (request) => {
      const { name } = request.params;
      if (!/^[a-z0-9-]{1,64}$/.test(name))
        throw failure('not_found', {
          detail: 'A feed is named by lower-case letters, digits and hyphens.',
        });
      const { url, pointer, every_s } = request.body;
      const currency = await requireCurrency(db, request.body.currency);
      const quoteCurrency = await requireCurrency(
        db,
        request.body.quote_currency,
        'quote_currency',
      );
      await putPriceFeed(db, clock, outgoing, {
        name,
        url,
        pointer,
        every_s,
        currency,
        quoteCurrency,
      });
      return (await listPriceFeeds(db)).map(toRecord);
    },
  );
  app.get(
    '/operator/price-feeds',
    {
      config: { ...ACCESS, readsFrom: 'standby' },
      schema: { ...operations.listPriceFeeds, response: { 200: Feeds } },
    },
    async () => (await listPriceFeeds(db)).map(toRecord),
  );
  app.delete(
    '/operator/price-feeds/:name',
    {
      config: ACCESS,
      schema: { ...operations.deletePriceFeed, params, response: { 200: Feeds } },
    },
    async (request) => {
      if (!(await deletePriceFeed(db, request.params.name))) throw failure('not_found');
      return (await listPriceFeeds(db)).map(toRecord);
    },
  );
}
