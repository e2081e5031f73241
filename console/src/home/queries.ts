import { type ResponseBody, unwrap } from '@edge-account/sdk';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useToday } from '../hooks/use-today.ts';
import { todayUtc } from '../lib/time-text.ts';
import { api } from '../session/session-api.ts';

export type Overview = ResponseBody<'/dashboard/overview', 'get'>;
export type Balance = Overview['balances'][number];
export type CurrencyAmount = Overview['total_earnings'][number];
export type NetworkReward = ResponseBody<'/dashboard/network-rewards', 'get'>[number];
export type EarningPoint = ResponseBody<'/dashboard/earnings', 'get'>[number];
export type RewardSchedule = ResponseBody<'/me/rewards/schedule', 'get'>;

/** An hour is computed without an event of its user. */
const ACCRUED_REFETCH_MS = 300_000;

/** An overview, and the day that it calls today. */
export interface OverviewOfDay extends Overview {
  readonly today: string;
}

export interface EarningsFilter {
  readonly beginDate: string;
  readonly endDate: string;
  readonly rewardType?: string;
  readonly nodeId?: string;
}

/** The overview of the current day. The last one is shown until the next day's is loaded. */
function overviewQuery() {
  return queryOptions({
    queryKey: ['dashboard', 'overview', todayUtc()],
    queryFn: async ({ signal }): Promise<OverviewOfDay> => ({
      ...(await unwrap(api.GET('/dashboard/overview', { signal }))),
      today: todayUtc(),
    }),
    placeholderData: keepPreviousData,
    refetchInterval: ACCRUED_REFETCH_MS,
  });
}

/** The overview, of the next day when the day ends. */
export function useOverview() {
  useToday();
  return useQuery(overviewQuery());
}

export const networkRewardsQuery = queryOptions({
  queryKey: ['dashboard', 'network-rewards'],
  queryFn: ({ signal }) => unwrap(api.GET('/dashboard/network-rewards', { signal })),
  refetchInterval: ACCRUED_REFETCH_MS,
});

export function earningsQuery(filter: EarningsFilter) {
  return queryOptions({
    queryKey: ['dashboard', 'earnings', filter],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/dashboard/earnings', { signal, params: { query: filter } })),
    placeholderData: keepPreviousData,
  });
}

export const scheduleQuery = queryOptions({
  queryKey: ['dashboard', 'schedule'],
  queryFn: ({ signal }) => unwrap(api.GET('/me/rewards/schedule', { signal })),
  refetchInterval: ACCRUED_REFETCH_MS,
});
