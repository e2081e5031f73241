/** Rewards by type: what was paid since ever, and what has accrued since. */
import { exactAmount } from '../lib/exact-json.ts';
import { readEarnedCurrencies, readRewards } from './queries.ts';
import type { NetworkRewardVO } from './schemas.ts';
import type { OverviewDeps } from './show-overview.ts';

/** A type that has only accrued has the amount 0. */
export async function showRewards(
  { db, rewardCurrency, readAccrued }: Omit<OverviewDeps, 'clock'>,
  userId: number,
): Promise<NetworkRewardVO[]> {
  const rows = await readRewards(db, userId, rewardCurrency);
  const waiting = await readAccrued(db, userId);
  const accruedOf = new Map(waiting.map(({ rewardType, amount }) => [rewardType, amount]));
  const paid = rows.map(({ reward_type, currency, scale, amount }) => {
    const accrued = currency === rewardCurrency ? accruedOf.get(reward_type) : undefined;
    return {
      reward_type,
      currency,
      amount: exactAmount(amount, scale),
      ...(accrued !== undefined && { accrued: exactAmount(accrued, scale) }),
    };
  });
  const known = new Set(
    rows.flatMap(({ currency, reward_type }) => (currency === rewardCurrency ? reward_type : [])),
  );
  const others = waiting.filter(({ rewardType }) => !known.has(rewardType));
  if (others.length === 0) return paid;
  const currencies = await readEarnedCurrencies(db, userId, rewardCurrency);
  const scale = currencies.find(({ code }) => code === rewardCurrency)?.scale ?? 0;
  return [
    ...others.map(({ rewardType, amount }) => ({
      reward_type: rewardType,
      currency: rewardCurrency,
      amount: exactAmount(0n, scale),
      accrued: exactAmount(amount, scale),
    })),
    ...paid,
  ];
}
