import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './http.ts';

export interface Currency {
  readonly code: string;
  readonly scale: number;
  readonly is_reward_currency: boolean;
  /** Networks on which it can be deposited now, as `currencyNetWork` takes them. */
  readonly open_networks: readonly string[];
}

export const currenciesQuery = queryOptions({
  queryKey: ['currencies'],
  queryFn: ({ signal }) => call<readonly Currency[]>('GET', '/currencies', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export function useCurrencies() {
  return useQuery(currenciesQuery);
}

const SHORT_NAMES: ReadonlySet<string> = new Set(['BSC', 'TRON']);

/** A network's name for the eye: `ETHEREUM` becomes "Ethereum". */
export function networkName(network: string): string {
  if (SHORT_NAMES.has(network)) return network;
  return network
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join(' ');
}
