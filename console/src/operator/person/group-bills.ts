/** Entries of one kind that follow each other on a day, as one: a release pays hundreds at once. */
import { sumAmounts } from '../../lib/money-text.ts';
import { isSameDay, signedAmount } from '../../wallets/bill-values.ts';
import type { StatementBill } from '../statements/queries.ts';

/** Fewer stand alone. */
const GROUPED_FROM = 3;

function isSameKind(bill: StatementBill, before: StatementBill): boolean {
  return (
    bill.business_id === before.business_id &&
    bill.reward_type === before.reward_type &&
    bill.amount_direction === before.amount_direction &&
    isSameDay(bill, before)
  );
}

function listRuns(bills: readonly StatementBill[]): StatementBill[][] {
  const runs: StatementBill[][] = [];
  for (const bill of bills) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run && before && isSameKind(bill, before)) run.push(bill);
    else runs.push([bill]);
  }
  return runs;
}

/** Whether further entries would belong to the group at the end. */
export function endsInGroup(bills: readonly StatementBill[]): boolean {
  return (listRuns(bills).at(-1)?.length ?? 0) >= GROUPED_FROM;
}

/** Whether the entries of a page all continue the group before them. */
export function continueGroup(
  before: readonly StatementBill[],
  page: readonly StatementBill[],
): boolean {
  const last = before.at(-1);
  return last !== undefined && listRuns([last, ...page]).length === 1;
}

/** Groups and single entries, in the order of the entries. */
export function groupBills(bills: readonly StatementBill[]): StatementBill[][] {
  return listRuns(bills).flatMap((run) =>
    run.length < GROUPED_FROM ? run.map((bill) => [bill]) : [run],
  );
}

/** What the entries of a group add up to, signed. */
export const totalOf = (bills: readonly StatementBill[]): string =>
  sumAmounts(bills.map(signedAmount));
