/** A transfer as operators see it, alone or in a list. */
import Type, { type Static } from 'typebox';
import { Decimal, Id, Timestamp } from '../http/index.ts';
import type { AccountRef, FoundTransfer } from '../ledger/index.ts';
import { exactAmount } from '../lib/exact-json.ts';

const Side = (description: string) =>
  Type.Object(
    {
      user_id: Type.Optional(Id('The person, with the wallet.')),
      wallet: Type.Optional(Type.String({ description: 'Kind of the wallet.' })),
      house: Type.Optional(Type.String({ description: 'The account of the house.' })),
    },
    { description },
  );

/** What is known of a transfer by itself. */
export const TransferVO = Type.Object(
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
  },
  { description: 'Money from `debit` to `credit`.' },
);

const toSide = (account: AccountRef) =>
  'house' in account ? account : { user_id: account.userId, wallet: account.wallet };

export function toTransferRecord(found: FoundTransfer): Static<typeof TransferVO> {
  const { rewardType, nodeId, reference, remark, reverses, reversedBy } = found;
  return {
    id: found.transferId,
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
  };
}
