import { queryOptions } from '@tanstack/react-query';
import type { PageOf } from '../api/page.ts';
import { PAGE_SIZE } from '../api/page.ts';
import { callAsMe, sendAsMe } from '../session/session.ts';
import type { BillFilter } from './bill-filter.ts';

export type Wallet = 'asset' | 'bonus';

export interface Account {
  readonly currency: string;
  readonly balance: string;
  readonly hold: string;
  readonly deposited: string;
  readonly withdrawal: string;
}

export interface Bill {
  readonly id: number;
  readonly currency: string;
  readonly business_id: string;
  readonly amount_direction: 1 | 2;
  readonly amount: string;
  readonly balance_after: string;
  readonly reward_type?: string;
  readonly counterparty?: string;
  readonly reference?: string;
  readonly remark?: string;
  readonly event_at: string;
  readonly created_at: string;
}

export interface AssetSummary {
  readonly quote_currency: string;
  readonly total: string;
  readonly partial?: boolean;
  readonly as_of: string;
  readonly assets: readonly {
    readonly currency: string;
    readonly balance: string;
    readonly hold: string;
    readonly price: string | null;
    readonly priced_at: string | null;
    readonly value: string | null;
  }[];
}

function pathOf(wallet: Wallet): string {
  return wallet === 'asset' ? '/account' : '/bonus-account';
}

export function accountsQuery(wallet: Wallet) {
  return queryOptions({
    queryKey: ['wallets', wallet, 'info'],
    queryFn: ({ signal }) =>
      callAsMe<readonly Account[]>('GET', `${pathOf(wallet)}/info`, { signal }),
  });
}

export function assetQuery(wallet: Wallet) {
  return queryOptions({
    queryKey: ['wallets', wallet, 'asset'],
    queryFn: ({ signal }) => callAsMe<AssetSummary>('GET', `${pathOf(wallet)}/asset`, { signal }),
  });
}

export function fetchBills(
  wallet: Wallet,
  filter: BillFilter,
  current: number,
  signal: AbortSignal,
): Promise<PageOf<Bill>> {
  return callAsMe('GET', `${pathOf(wallet)}/bills`, {
    signal,
    query: { ...filter, current, size: PAGE_SIZE },
  });
}

export function exportBills(wallet: Wallet, filter: BillFilter): Promise<Response> {
  return sendAsMe('GET', `${pathOf(wallet)}/bills/export`, {
    query: { ...filter },
    headers: { accept: 'text/csv' },
    isStream: true,
  });
}

export interface ConversionQuote {
  readonly quote_id: string;
  readonly currency: string;
  readonly amount: string;
  readonly to_currency: string;
  readonly to_amount: string;
  readonly price: string;
  readonly priced_at: string;
  readonly expires_at: string;
}

export interface ConversionOrder {
  readonly currency: string;
  readonly amount: string;
  readonly to_currency: string;
}

export function askQuote(order: ConversionOrder): Promise<ConversionQuote> {
  return callAsMe('POST', '/bonus-account/convert/quote', { body: order });
}

/** Takes an offer. The offer names the request, so that sending it twice converts once. */
export function takeQuote(quoteId: string): Promise<ConversionQuote> {
  return callAsMe('POST', '/bonus-account/convert', {
    body: { quote_id: quoteId },
    headers: { 'idempotency-key': quoteId },
  });
}
