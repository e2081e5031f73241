import type { Db } from '../db/index.ts';
import { toPage } from '../http/index.ts';
import { type Bill, readBills, type UserWallet } from '../ledger/index.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { readBillFilter } from './filters.ts';
import type { BillQuery, BillRecord } from './schemas.ts';

/** A bill as the API shows it. */
export function toBillRecord(bill: Bill): BillRecord {
  return {
    id: bill.id,
    transfer_id: bill.transferId,
    currency: bill.currency,
    business_id: bill.businessId,
    amount_direction: bill.direction,
    amount: exactAmount(bill.amount, bill.scale),
    balance_after: exactAmount(bill.balanceAfter, bill.scale),
    ...(bill.rewardType !== null && { reward_type: bill.rewardType }),
    counterparty: bill.counterparty,
    ...(bill.reference !== null && { reference: bill.reference }),
    ...(bill.remark !== null && { remark: bill.remark }),
    event_at: bill.eventAt.toISOString(),
    created_at: bill.createdAt.toISOString(),
    ...(bill.nodeId !== null && { node_id: bill.nodeId }),
  };
}

export async function showBills(db: Db, userId: number, wallet: UserWallet, query: BillQuery) {
  const filter = await readBillFilter(db, query);
  const { bills, total } = await readBills(db, { userId, wallet }, filter, query);
  return toPage(bills.map(toBillRecord), total, query);
}
