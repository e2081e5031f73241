import { toUnits } from '../lib/money-text.ts';
import type { CurrencyAmount, Overview } from './queries.ts';

export interface EarningsFigure extends CurrencyAmount {
  readonly when: 'today' | 'yesterday' | 'total';
  /** In another currency than the figure above, which the name has to tell. */
  readonly isOther: boolean;
}

const TIMES = [
  ['today', 'today_earnings'],
  ['yesterday', 'yesterday_earnings'],
  ['total', 'total_earnings'],
] as const;

export function amountOf(list: readonly CurrencyAmount[] | undefined, currency: string): string {
  return list?.find((entry) => entry.currency === currency)?.amount ?? '0';
}

/**
 * What stands below today's earnings in the reward currency: of that one yesterday and the total;
 * then of others whatever was earned, so that they come behind what is there already.
 */
export function listEarned(
  overview: Overview | undefined,
  currency: string,
): readonly EarningsFigure[] {
  const own = TIMES.filter(([when]) => when !== 'today').map(([when, name]) => ({
    when,
    currency,
    amount: amountOf(overview?.[name], currency),
    isOther: false,
  }));
  const others = TIMES.flatMap(([when, name]) =>
    (overview?.[name] ?? [])
      .filter((entry) => entry.currency !== currency && toUnits(entry.amount) !== 0n)
      .map((entry) => ({
        ...{ when, currency: entry.currency, amount: entry.amount },
        isOther: true,
      })),
  );
  return [...own, ...others];
}
