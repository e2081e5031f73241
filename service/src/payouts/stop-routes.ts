/** `/operator/payout-stops`: the stop button of each currency. */
import Type from 'typebox';
import type { HttpServer } from '../http/index.ts';
import type { PayoutsDeps } from './context.ts';
import { nameCaller } from './name-caller.ts';
import { operations } from './operations.ts';
import { StopBody, StopList } from './operator-schemas.ts';
import { listStops, resumeCurrency, stopCurrency } from './stop-currency.ts';

const ACCESS = { access: { scopes: ['operator:payouts'] } } as const;
const params = Type.Object({
  currency: Type.String({ maxLength: 64, description: 'Currency code.' }),
});

export function registerStops(app: HttpServer, { database: db, clock }: PayoutsDeps): void {
  app.get(
    '/operator/payout-stops',
    {
      config: ACCESS,
      schema: { ...operations.listPayoutStops, response: { 200: StopList } },
    },
    () => listStops(db),
  );
  app.put(
    '/operator/payout-stops/:currency',
    {
      config: ACCESS,
      schema: {
        ...operations.stopPayouts,
        params,
        body: StopBody,
        response: { 200: StopList },
      },
    },
    (request) =>
      stopCurrency(db, clock, {
        currency: request.params.currency,
        reason: request.body.reason,
        by: nameCaller(request),
      }),
  );
  app.delete(
    '/operator/payout-stops/:currency',
    {
      config: ACCESS,
      schema: { ...operations.resumePayouts, params, response: { 200: StopList } },
    },
    (request) =>
      resumeCurrency(db, clock, {
        currency: request.params.currency,
        by: nameCaller(request),
      }),
  );
}
