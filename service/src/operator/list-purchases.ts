/** `GET /operator/purchases`: packages that people bought, last recorded first. */
import Type from 'typebox';
import { listPurchases } from '../community/index.ts';
import { type HttpServer, Id } from '../http/index.ts';
import { CursorParameters, malformedCursor, Next, SIZE } from './cursor-pages.ts';
import { operations } from './operations/money.ts';
import { PurchaseVO, toPurchaseRecord } from './purchase-schemas.ts';
import type { PurchasesDeps } from './record-purchases.ts';

const Query = Type.Object(
  { user_id: Type.Optional(Id('Only those of this person.')), ...CursorParameters },
  { additionalProperties: false },
);

const PurchasePage = Type.Object(
  {
    purchases: Type.Array(PurchaseVO, {
      description: 'Last recorded first: an import records those of years before.',
    }),
    next: Next,
  },
  { description: 'A page of purchases.' },
);

/** @throws `invalid_parameter` */
function readCursor(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw malformedCursor();
  return Number(text);
}

export function registerPurchaseList(
  app: HttpServer,
  { database, rewardScale }: Pick<PurchasesDeps, 'database' | 'rewardScale'>,
): void {
  app.get(
    '/operator/purchases',
    {
      config: { access: { scopes: ['operator:purchases'] }, readsFrom: 'standby' },
      schema: {
        ...operations.listPurchases,
        querystring: Query,
        response: { 200: PurchasePage },
      },
    },
    async ({ query: { user_id: userId, size = SIZE, cursor } }) => {
      const before = cursor === undefined ? undefined : readCursor(cursor);
      const purchases = await listPurchases(database, { userId, before, size });
      const scale = await rewardScale();
      const last = purchases[size - 1];
      return {
        purchases: purchases.map((purchase) => toPurchaseRecord(purchase, scale)),
        ...(last && { next: String(last.purchaseId) }),
      };
    },
  );
}
