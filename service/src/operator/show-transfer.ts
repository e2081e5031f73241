/** `GET /operator/transfers/{id}`: both sides of a transfer, and whether it can be undone. */

import Type, { type Static } from 'typebox';
import { findPurchaseOf } from '../community/index.ts';
import type { Database, Db } from '../db/index.ts';
import { type HttpServer, Id, PathId, parsePathId, StringEnum } from '../http/index.ts';
import { type FoundTransfer, findTransfer } from '../ledger/index.ts';
import { failure } from '../lib/failures.ts';
import { findOtherHalf } from '../wallets/index.ts';
import { operations } from './operations/money.ts';
import { recordOf } from './reversals.ts';
import { TransferVO, toTransferRecord } from './transfer-schemas.ts';

const Transfer = Type.Object(
  {
    ...TransferVO.properties,
    other_half: Type.Optional(
      Id('Of a conversion: the transfer of the other currency. Both are undone together.'),
    ),
    purchase_id: Type.Optional(Id('The purchase that it paid, or paid back.')),
    reversal: StringEnum(
      ['possible', 'done', 'is_reversal', 'purchase', 'deposit', 'payout'],
      'Whether `POST /operator/transfers/{id}/reverse` undoes it: `done`: it has been undone; ' +
        '`is_reversal`: it undoes another one, and stays; the others: it belongs to a record, ' +
        'which is undone in its own way.',
    ),
  },
  { description: 'Money from `debit` to `credit`.' },
);
type Transfer = Static<typeof Transfer>;

function reversalOf({ reverses, reversedBy, idempotencyKey }: FoundTransfer): Transfer['reversal'] {
  if (reverses !== null) return 'is_reversal';
  if (reversedBy !== null) return 'done';
  return recordOf(idempotencyKey) ?? 'possible';
}

async function showTransfer(db: Db, id: number): Promise<Transfer> {
  const found = await findTransfer(db, id);
  if (!found) throw failure('not_found', { detail: 'There is no such transfer.' });
  const otherHalf = await findOtherHalf(db, id);
  const purchaseId = await findPurchaseOf(db, id);
  return {
    ...toTransferRecord(found),
    ...(otherHalf !== undefined && { other_half: otherHalf }),
    ...(purchaseId !== undefined && { purchase_id: purchaseId }),
    reversal: reversalOf(found),
  };
}

export function registerShowTransfer(
  app: HttpServer,
  { database: db }: { database: Database },
): void {
  app.get(
    '/operator/transfers/:id',
    {
      config: { access: { scopes: ['operator:ledger'] }, readsFrom: 'standby' },
      schema: {
        ...operations.getTransfer,
        params: Type.Object({ id: PathId('The transfer.') }),
        response: { 200: Transfer },
      },
    },
    (request) => showTransfer(db, parsePathId(request.params.id)),
  );
}
