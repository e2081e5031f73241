/** `POST /operator/purchases`: a user bought a package; `…/refund`: some of it was paid back. */

import { findPurchase } from '../community/index.ts';
import { transaction } from '../db/index.ts';
import { type HttpServer, IdempotencyHeaders, readRequestKey } from '../http/index.ts';
import { refuseRequest, withIdempotencyKey } from '../ledger/index.ts';
import { Failure } from '../lib/failures.ts';
import { registerPurchaseList } from './list-purchases.ts';
import { operations } from './operations/money.ts';
import {
  PurchaseForm,
  PurchasePath,
  PurchaseVO,
  RefundForm,
  toPurchaseRecord,
} from './purchase-schemas.ts';
import {
  createPurchaseBatcher,
  type PurchasesDeps,
  parsePurchaseId,
  refund,
} from './record-purchases.ts';

const ACCESS = { config: { access: { scopes: ['operator:purchases'] } } };

export function registerPurchases(app: HttpServer, deps: PurchasesDeps): void {
  const { database, clock, rewardScale } = deps;
  const batcher = createPurchaseBatcher(deps);
  registerPurchaseList(app, deps);
  app.post(
    '/operator/purchases',
    {
      ...ACCESS,
      schema: {
        ...operations.createPurchase,
        headers: IdempotencyHeaders,
        body: PurchaseForm,
        response: { 200: PurchaseVO },
      },
    },
    async (request) => {
      const key = readRequestKey(request, 'purchase');
      const result = await batcher.submit({ key, form: request.body, scale: await rewardScale() });
      if (result instanceof Failure)
        throw await transaction(database, (tx) => refuseRequest(tx, key, result));
      return result;
    },
  );
  app.post(
    '/operator/purchases/:id/refund',
    {
      ...ACCESS,
      schema: {
        ...operations.refundPurchase,
        headers: IdempotencyHeaders,
        params: PurchasePath,
        body: RefundForm,
        response: { 200: PurchaseVO },
      },
    },
    async (request) => {
      const key = readRequestKey(request, 'purchase-refund');
      const refundRequest = {
        key,
        id: request.params.id,
        form: request.body,
        scale: await rewardScale(),
      };
      return withIdempotencyKey(database, key, (tx) => refund(tx, clock, refundRequest));
    },
  );
  app.get(
    '/operator/purchases/:id',
    {
      config: { ...ACCESS.config, readsFrom: 'standby' },
      schema: { ...operations.getPurchase, params: PurchasePath, response: { 200: PurchaseVO } },
    },
    async (request) =>
      toPurchaseRecord(
        await findPurchase(database, parsePurchaseId(request.params.id)),
        await rewardScale(),
      ),
  );
}
