import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './http.ts';

export interface Currency {
  readonly code: string;
  readonly scale: number;
  readonly is_reward_currency: boolean;
  /** Networks on which it can be deposited now, as `currencyNetWork` takes them. */
  readonly open_networks: readonly string[];
  /** What the operator calls each of its networks, by its code. */
  readonly network_names: Readonly<Record<string, string>>;
}

export const currenciesQuery = queryOptions({
  queryKey: ['currencies'],
  queryFn: ({ signal }) => call<readonly Currency[]>('GET', '/currencies', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export function useCurrencies() {
  return useQuery(currenciesQuery);
}

/** A currency that the page's address names counts once it is known to be one. */
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
