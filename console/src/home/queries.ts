import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { todayUtc } from '../lib/time-text.ts';
import { callAsMe } from '../session/session.ts';

export interface CurrencyAmount {
  readonly currency: string;
  readonly amount: string;
}

export interface Balance {
  readonly currency: string;
  readonly balance: string;
  readonly hold: string;
  readonly bonus_balance: string;
  readonly bonus_hold: string;
}

export interface Overview {
  readonly network_rewards: string;
  readonly devices: number;
  readonly traffic_gb: string;
  readonly balances: readonly Balance[];
  readonly total_earnings: readonly CurrencyAmount[];
  readonly yesterday_earnings: readonly CurrencyAmount[];
  readonly today_earnings: readonly CurrencyAmount[];
}

/** An overview, and the day on which it was read: that which it calls today. */
export interface OverviewOfDay extends Overview {
  readonly today: string;
}

export interface RewardOfType {
  readonly reward_type: string;
  readonly amount: string;
}

export interface NetworkReward extends RewardOfType {
  readonly currency: string;
}

export interface EarningPoint {
  readonly date: string;
  readonly currency: string;
  readonly amount: string;
  readonly by_reward_type: readonly RewardOfType[];
}

export interface EarningsFilter {
  readonly beginDate: string;
  readonly endDate: string;
  readonly rewardType?: string;
  readonly nodeId?: string;
}

/** Of the day that it is: the next one is asked for anew, while the last is shown. */
export function overviewQuery() {
  return queryOptions({
    queryKey: ['dashboard', 'overview', todayUtc()],
    queryFn: async ({ signal }): Promise<OverviewOfDay> => ({
      ...(await callAsMe<Overview>('GET', '/dashboard/overview', { signal })),
      today: todayUtc(),
    }),
    placeholderData: keepPreviousData,
  });
}

export const networkRewardsQuery = queryOptions({
  queryKey: ['dashboard', 'network-rewards'],
  queryFn: ({ signal }) =>
    callAsMe<readonly NetworkReward[]>('GET', '/dashboard/network-rewards', { signal }),
});

export function earningsQuery(filter: EarningsFilter) {
  return queryOptions({
    queryKey: ['dashboard', 'earnings', filter],
    queryFn: ({ signal }) =>
      callAsMe<readonly EarningPoint[]>('GET', '/dashboard/earnings', {
        signal,
        query: { ...filter },
      }),
    placeholderData: keepPreviousData,
  });
}
