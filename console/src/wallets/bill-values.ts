/** What follows from one bill, or from two. */
import type { Bill } from './queries.ts';

/** The amount with the sign of its direction. */
export function signedAmount(bill: Bill): string {
  return bill.amount_direction === 2 && !bill.amount.startsWith('-')
    ? `-${bill.amount}`
    : bill.amount;
}

/** Whether two entries were recorded on one day of the reader's zone. */
export function isSameDay(bill: Bill, before: Bill | undefined): boolean {
  if (before === undefined) return false;
  return new Date(bill.created_at).toDateString() === new Date(before.created_at).toDateString();
}
