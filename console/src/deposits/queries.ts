import { type ResponseBody, unwrap } from '@edge-account/sdk';
import { queryOptions } from '@tanstack/react-query';
import { PAGE_SIZE } from '../api/page.ts';
import { api } from '../session/session-api.ts';
import type { DepositFilter } from './deposit-filter.ts';

export type DepositAddress = ResponseBody<'/address/info', 'get'>;
export type Deposit = ResponseBody<'/deposit/records', 'get'>['records'][number];

/** The address is permanent; whether its network is watched is not. */
const REFETCH_MS = 30_000;

export function addressQuery(currency: string, network: string) {
  return queryOptions({
    queryKey: ['deposits', 'address', currency, network],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/address/info', {
          signal,
          params: { query: { currency, currencyNetWork: network } },
        }),
      ),
    enabled: currency !== '' && network !== '',
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: REFETCH_MS,
  });
}

export function fetchDeposits(filter: DepositFilter, current: number, signal: AbortSignal) {
  const query = { ...filter, current, size: PAGE_SIZE };
  return unwrap(api.GET('/deposit/records', { signal, params: { query } }));
}
