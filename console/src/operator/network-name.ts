import { useCurrencies } from '../api/currencies.ts';

/** What a network is called; its code where no currency is on it. */
export function useNetworkName(): (code: string) => string {
  const currencies = useCurrencies().data ?? [];
  const names = new Map(currencies.flatMap(({ network_names }) => Object.entries(network_names)));
  return (code) => names.get(code) ?? code;
}
