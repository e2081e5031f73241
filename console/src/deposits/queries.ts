import { queryOptions } from '@tanstack/react-query';
import { PAGE_SIZE, type PageOf } from '../api/page.ts';
import { callAsMe } from '../session/session.ts';
import type { DepositFilter } from './deposit-filter.ts';

export interface DepositAddress {
  readonly currency: string;
  readonly currency_network: string;
  readonly network_name: string;
  readonly address: string;
  readonly memo?: string;
  readonly contract_address?: string;
  readonly min_deposit: string;
  readonly required_confirmations: number;
  readonly estimated_seconds: number;
  readonly uri: string;
  /** Nobody sees at present what is sent on the network. */
  readonly is_delayed?: true;
}

export interface Deposit {
  readonly id: number;
  readonly currency: string;
  readonly currency_network: string;
  readonly network_name: string;
  readonly amount: string;
  readonly address: string;
  readonly from_address?: string;
  readonly tx_hash: string;
  readonly confirmations: number;
  readonly required_confirmations: number;
  readonly status: string;
  readonly reason?: string;
  readonly reason_code?: string;
  readonly reason_values?: Readonly<Record<string, string>>;
  readonly explorer_url?: string;
  readonly detected_at: string;
  readonly credited_at?: string;
}

/** The address stays; whether the network is watched does not. */
const LOOK_AGAIN_MS = 30_000;

export function addressQuery(currency: string, network: string) {
  return queryOptions({
    queryKey: ['deposits', 'address', currency, network],
    queryFn: ({ signal }) =>
      callAsMe<DepositAddress>('GET', '/address/info', {
        signal,
        query: { currency, currencyNetWork: network },
      }),
    enabled: currency !== '' && network !== '',
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function fetchDeposits(
  filter: DepositFilter,
  current: number,
  signal: AbortSignal,
): Promise<PageOf<Deposit>> {
  return callAsMe('GET', '/deposit/records', {
    signal,
    query: { ...filter, current, size: PAGE_SIZE },
  });
}
