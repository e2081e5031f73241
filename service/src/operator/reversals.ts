/** `POST /operator/transfers/{id}/reverse`: undoes a transfer by a new one. */

import Type, { type Static } from 'typebox';
import type { Database, Transaction } from '../db/index.ts';
import {
  type HttpServer,
  Id,
  IdempotencyHeaders,
  OptionalBody,
  PathId,
  parsePathId,
  readRequestKey,
} from '../http/index.ts';
import {
  type RequestKey,
  readTransferName,
  reverseTransfers,
  withIdempotencyKey,
} from '../ledger/index.ts';
import { failure } from '../lib/failures.ts';
import { findOtherHalf } from '../wallets/index.ts';
import { requireTransferIds, TextInput } from './money-schemas.ts';
import { operations } from './operations/money.ts';

const REVERSAL = { id: Id('The new transfer.'), reverses: Id('The transfer that it undoes.') };
const Reversal = Type.Object({
  ...REVERSAL,
  also: Type.Optional(
    Type.Object(REVERSAL, {
      description: 'Of one half of a conversion: the other half, undone with it.',
    }),
  ),
});

const Body = OptionalBody({ remark: Type.Optional(TextInput('Shown in the bill.', 500)) });

interface Order extends Static<typeof Body> {
  readonly transferId: number;
  readonly key: RequestKey;
}

const RECORDED = {
  purchase:
    'A purchase is paid back by POST /operator/purchases/{id}/refund, and a refund is undone by ' +
    'a new purchase.',
  deposit:
    'What came from a chain goes back with the chain alone. POST /operator/transfers takes it ' +
    'from the person by an adjustment that may overdraw, or gives it.',
  payout:
    'The chain decides about a payout: a transaction that fails is refunded by itself, one that ' +
    'pays something else by POST /operator/payouts/{id}/mismatch. A network fee that was booked ' +
    'is spent. POST /operator/transfers gives or takes what is owed otherwise.',
} as const;

/**
 * What a transfer is recorded as beside the ledger, by the name under which it was posted: it is
 * undone there. Of a purchase the money alone would come back, and could come back again by a
 * refund; so it could of a deposit or a payout, when its block is replaced.
 */
export function recordOf(idempotencyKey: string): keyof typeof RECORDED | undefined {
  if (idempotencyKey.startsWith('purchase')) return 'purchase';
  if (/^deposit(_reversal)?\//.test(idempotencyKey)) return 'deposit';
  return idempotencyKey.startsWith('payout/') ? 'payout' : undefined;
}

async function refuseRecorded(tx: Transaction, transferId: number): Promise<void> {
  const record = recordOf((await readTransferName(tx, transferId)) ?? '');
  if (record) throw failure('not_reversible', { detail: RECORDED[record] });
}

async function reverse(
  tx: Transaction,
  { transferId, key, remark }: Order,
): Promise<Static<typeof Reversal>> {
  await refuseRecorded(tx, transferId);
  const { idempotencyKey, requestHash } = key;
  const common = {
    requestHash,
    event: 'wallet.changed' as const,
    ...(remark !== undefined && { remark }),
  };
  const other = await findOtherHalf(tx, transferId);
  const results = await reverseTransfers(tx, [
    { ...common, idempotencyKey, transferId },
    ...(other === undefined
      ? []
      : [
          {
            ...common,
            idempotencyKey: idempotencyKey.replace('reverse:', 'reverse-other-half:'),
            transferId: other,
          },
        ]),
  ]);
  const [id = 0, otherId] = requireTransferIds(results);
  const also =
    other === undefined || otherId === undefined ? undefined : { id: otherId, reverses: other };
  return { id, reverses: transferId, ...(also && { also }) };
}

export function registerReversals(app: HttpServer, { database }: { database: Database }): void {
  app.post(
    '/operator/transfers/:id/reverse',
    {
      config: { access: { scopes: ['operator:transfers'] } },
      schema: {
        ...operations.reverseTransfer,
        headers: IdempotencyHeaders,
        params: Type.Object({ id: PathId('The transfer.') }),
        body: Body,
        response: { 200: Reversal },
      },
    },
    async (request) => {
      const transferId = parsePathId(request.params.id);
      const key = readRequestKey(request, 'reverse');
      return withIdempotencyKey(database, key, (tx) =>
        reverse(tx, { ...request.body, transferId, key }),
      );
    },
  );
}
