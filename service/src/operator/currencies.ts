/**
 * `PUT /operator/currencies/{currency}`: operators add currencies, so that tokens and coins can be
 * credited in them.
 */

import Type from 'typebox';
import type { Database } from '../db/index.ts';
import { UNKNOWN_CURRENCY } from '../deposits/index.ts';
import type { HttpServer } from '../http/index.ts';
import { ensureCurrency } from '../ledger/index.ts';
import { failure, fieldError } from '../lib/failures.ts';
import { operations } from './operations/chains.ts';

const CODE = /^[A-Z][A-Z0-9]{1,15}$/;
const SCALE_MAX = 30;

const Currency = Type.Object({
  currency: Type.String({ description: 'Code.' }),
  scale: Type.Integer({ description: 'Decimals of one unit. It never changes.' }),
});

/** Registers `/operator/currencies/{currency}`. */
export function registerOperatorCurrencies(
  app: HttpServer,
  { database }: { database: Database },
): void {
  app.put(
    '/operator/currencies/:currency',
    {
      config: { access: { scopes: ['operator:chains'] } },
      schema: {
        ...operations.putCurrency,
        params: Type.Object({
          currency: Type.String({
            description: 'Code: 2 to 16 capital letters and digits, for example `BTC`.',
          }),
        }),
        body: Type.Object(
          {
            scale: Type.Integer({
              minimum: 0,
              maximum: SCALE_MAX,
              description: 'Decimals of one unit, for example 8.',
            }),
          },
          { additionalProperties: false },
        ),
        response: { 200: Currency },
      },
    },
    async (request) => {
      const { currency: code } = request.params;
      if (!CODE.test(code) || code === UNKNOWN_CURRENCY)
        throw fieldError(
          'currency',
          'malformed',
          'must be 2 to 16 capital letters and digits, and not UNKNOWN',
        );
      const currency = await ensureCurrency(database, code, request.body.scale);
      if (currency.scale !== request.body.scale)
        throw failure('currency_exists', {
          detail: `${code} exists with ${currency.scale} decimals, which never change.`,
        });
      return { currency: code, scale: currency.scale };
    },
  );
}
