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
