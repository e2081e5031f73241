/** `GET …/bills/subtotals`: what days or other intervals changed in a wallet, exactly. */
import type { Db } from '../db/index.ts';
import { type Interval, readBalanceChanges } from '../ledger/index.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { fieldError } from '../lib/failures.ts';
import { INTERVALS_MAX, type IntervalSubtotals, type WalletOwner } from './schemas.ts';

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

function readInstant(text: string): Date {
  const instant = new Date(text);
  if (!INSTANT.test(text) || Number.isNaN(instant.getTime()))
    throw fieldError('intervals', 'malformed', 'must have instants like 2026-11-01T00:00:00.000Z');
  return instant;
}

/** @throws `invalid_parameter` */
export function readIntervals(text: string): Interval[] {
  const parts = text.split(',');
  if (parts.length > INTERVALS_MAX)
    throw fieldError('intervals', 'too_many', `has more than ${INTERVALS_MAX} intervals`);
  return parts.map((part) => {
    const [begin = '', end = '', ...more] = part.split('/');
    if (more.length > 0)
      throw fieldError('intervals', 'malformed', 'must be intervals like START/END');
    const interval = { from: readInstant(begin), before: readInstant(end) };
    if (interval.from >= interval.before)
      throw fieldError('intervals', 'begin_after_end', 'has an interval that ends as it begins');
    return interval;
  });
}

export async function showSubtotals(
  db: Db,
  owner: WalletOwner,
  text: string,
): Promise<IntervalSubtotals[]> {
  const intervals = readIntervals(text);
  const changes = await readBalanceChanges(db, owner, intervals);
  return intervals.map(({ from, before }, index) => ({
    from: from.toISOString(),
    before: before.toISOString(),
    subtotals: (changes[index] ?? []).map(({ currency, scale, opening, closing, bills }) => ({
      currency,
      amount: exactAmount(closing - opening, scale),
      bills,
    })),
  }));
}
