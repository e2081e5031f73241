/** `GET /operator/transfers/{id}`: both sides of a transfer, and whether it can be undone. */

import Type, { type Static } from 'typebox';
import { findPurchaseOf } from '../community/index.ts';
import type { Database, Db } from '../db/index.ts';
import {
  Decimal,
  type HttpServer,
  Id,
  PathId,
  parsePathId,
  StringEnum,
  Timestamp,
} from '../http/index.ts';
import { type AccountRef, type FoundTransfer, findTransfer } from '../ledger/index.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { failure } from '../lib/failures.ts';
import { findOtherHalf } from '../wallets/index.ts';
import { operations } from './operations/money.ts';
import { recordOf } from './reversals.ts';

const Side = (description: string) =>
  Type.Object(
    {
      user_id: Type.Optional(Id('The person, with the wallet.')),
      wallet: Type.Optional(Type.String({ description: 'Kind of the wallet.' })),
      house: Type.Optional(Type.String({ description: 'The account of the house.' })),
    },
    { description },
  );

const Transfer = Type.Object(
  {
    id: Id('The transfer.'),
    debit: Side('Where the money came from: a person with a wallet, or an account of the house.'),
    credit: Side('Where it went.'),
    currency: Type.String({ description: 'Currency code.' }),
    amount: Decimal('Positive.'),
    business_id: Type.String({ description: 'Transaction type, for example `adjustment`.' }),
    reward_type: Type.Optional(Type.String({ description: 'Of rewards.' })),
    node_id: Type.Optional(Type.String({ description: 'The device that earned it.' })),
    reference: Type.Optional(Type.String({ description: 'Reference of the business server.' })),
    remark: Type.Optional(Type.String({ description: 'Shown in the bill.' })),
    event_at: Timestamp('When it happened or was earned.'),
    created_at: Timestamp('When it was posted.'),
    reverses: Type.Optional(Id('The transfer that it undoes.')),
    reversed_by: Type.Optional(Id('The transfer that has undone it.')),
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

const toSide = (account: AccountRef) =>
  'house' in account ? account : { user_id: account.userId, wallet: account.wallet };

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
  const { rewardType, nodeId, reference, remark, reverses, reversedBy } = found;
  return {
    id,
    debit: toSide(found.debit),
    credit: toSide(found.credit),
    currency: found.currency.code,
    amount: exactAmount(found.amount, found.currency.scale),
    business_id: found.businessId,
    ...(rewardType !== undefined && { reward_type: rewardType }),
    ...(nodeId !== undefined && { node_id: nodeId }),
    ...(reference !== undefined && { reference }),
    ...(remark !== undefined && { remark }),
    event_at: found.eventAt.toISOString(),
    created_at: found.createdAt.toISOString(),
    ...(reverses !== null && { reverses }),
    ...(reversedBy !== null && { reversed_by: reversedBy }),
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
