import { type ResponseBody, unwrap } from '@edge-account/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { publicApi } from './client.ts';

export type Currency = ResponseBody<'/currencies', 'get'>[number];

export const currenciesQuery = queryOptions({
  queryKey: ['currencies'],
  queryFn: ({ signal }) => unwrap(publicApi.GET('/currencies', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

export function useCurrencies() {
  return useQuery(currenciesQuery);
}

/** The currency of the page's address, once it is known to exist. */
export function useKnownCurrency(code: string | undefined): {
  readonly currency: string | undefined;
  readonly isUnsure: boolean;
} {
  const { data, isPending } = useCurrencies();
  return {
    currency: data?.find((entry) => entry.code === code)?.code,
    isUnsure: code !== undefined && isPending,
  };
}

/** The currency that rewards are paid in; empty until it is known. */
export function useRewardCurrency(): string {
  const { data } = useCurrencies();
  return data?.find((currency) => currency.is_reward_currency)?.code ?? data?.[0]?.code ?? '';
}
