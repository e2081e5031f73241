/** Bills with what their day adds up to: a page of them is read with the sums of its days. */
import { type ResponseBody, unwrap } from '@edge-account/sdk';
import type { PageOf } from '../api/page.ts';
import { api } from '../session/session-api.ts';
import type { BillFilter } from './bill-filter.ts';
import { dayInterval } from './day-interval.ts';
import { type Bill, fetchBills, subtotalsPath, type Wallet } from './queries.ts';

type IntervalSubtotals = ResponseBody<'/account/bills/subtotals', 'get'>[number];
export type Subtotal = IntervalSubtotals['subtotals'][number];

export interface ListedBill extends Bill {
  /** What all bills of its day add up to; undefined where the list leaves some of them out. */
  readonly dayTotals?: readonly Subtotal[];
}

/** @param signal of the page that the days are read for */
async function readSubtotals(
  wallet: Wallet,
  intervals: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly Subtotal[]>> {
  const query = { intervals: intervals.join(',') };
  const days = await unwrap(api.GET(subtotalsPath(wallet), { signal, params: { query } }));
  return new Map(days.map(({ subtotals }, at) => [intervals[at] ?? '', subtotals]));
}

/**
 * A page of bills. The sums are those of all bills of a day, on whatever pages these are; a list of
 * one type or direction has none.
 */
export async function fetchListedBills(
  wallet: Wallet,
  filter: BillFilter,
  current: number,
  signal: AbortSignal,
): Promise<PageOf<ListedBill>> {
  const page = await fetchBills(wallet, filter, current, signal);
  const isOfPart = filter.amountDirection !== undefined || filter.businessId !== undefined;
  if (isOfPart || page.records.length === 0) return page;
  const intervalOf = ({ created_at }: Bill): string => dayInterval(created_at, filter);
  const intervals = [...new Set(page.records.map(intervalOf))];
  const days = await readSubtotals(wallet, intervals, signal);
  const isShown = ({ currency }: Subtotal): boolean =>
    filter.currency === undefined || currency === filter.currency;
  return {
    ...page,
    records: page.records.map((bill) => ({
      ...bill,
      dayTotals: (days.get(intervalOf(bill)) ?? []).filter(isShown),
    })),
  };
}
