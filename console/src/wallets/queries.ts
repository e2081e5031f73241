import { type ResponseBody, unwrap } from '@edge-account/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { PAGE_SIZE } from '../api/page.ts';
import { api } from '../session/session-api.ts';
import type { BillFilter } from './bill-filter.ts';

export type Wallet = 'asset' | 'bonus';

export type Account = ResponseBody<'/account/info', 'get'>[number];
export type Bill = ResponseBody<'/account/bills', 'get'>['records'][number];
export type AssetSummary = ResponseBody<'/account/asset', 'get'>;
export type ConversionQuote = ResponseBody<'/bonus-account/convert/quote', 'post'>;

const BASE_PATH = { asset: '/account', bonus: '/bonus-account' } as const;

export function accountsQuery(wallet: Wallet) {
  return queryOptions({
    queryKey: ['wallets', wallet, 'info'],
    queryFn: ({ signal }): Promise<readonly Account[]> =>
      unwrap(api.GET(`${BASE_PATH[wallet]}/info`, { signal })),
  });
}

export function assetQuery(wallet: Wallet) {
  return queryOptions({
    queryKey: ['wallets', wallet, 'asset'],
    queryFn: ({ signal }): Promise<AssetSummary> =>
      unwrap(api.GET(`${BASE_PATH[wallet]}/asset`, { signal })),
  });
}

/** The address keeps a text; the API takes a number. */
function toQuery({ amountDirection, ...filter }: BillFilter) {
  return { ...filter, ...(amountDirection && { amountDirection: Number(amountDirection) }) };
}

export function fetchBills(
  wallet: Wallet,
  filter: BillFilter,
  current: number,
  signal: AbortSignal,
) {
  const query = { ...toQuery(filter), current, size: PAGE_SIZE };
  return unwrap(api.GET(`${BASE_PATH[wallet]}/bills`, { signal, params: { query } }));
}

interface BillSearch {
  readonly text: string;
  /** What the text stands for, separated by commas. */
  readonly codes: string;
  readonly filter: BillFilter;
}

/** Each page looks further back; one can be empty, and have a next one. */
export function billSearchQuery(wallet: Wallet, { text, codes, filter }: BillSearch) {
  return infiniteQueryOptions({
    queryKey: ['wallets', wallet, 'search', text, codes, filter],
    queryFn: ({ signal, pageParam: cursor }) => {
      const query = { ...toQuery(filter), text, codes: codes || undefined, cursor };
      return unwrap(api.GET(`${BASE_PATH[wallet]}/bills/search`, { signal, params: { query } }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
}

export const subtotalsPath = (wallet: Wallet) => `${BASE_PATH[wallet]}/bills/subtotals` as const;

/** In the reader's language, which every request names. */
export async function fetchStatement(month: string): Promise<Response> {
  const { response } = await api.GET('/account/statement', {
    params: { query: { month } },
    parseAs: 'stream',
  });
  return response;
}

export async function exportBills(wallet: Wallet, filter: BillFilter): Promise<Response> {
  const { response } = await api.GET(`${BASE_PATH[wallet]}/bills/export`, {
    params: { query: toQuery(filter) },
    headers: { accept: 'text/csv' },
    parseAs: 'stream',
  });
  return response;
}

export interface ConversionDraft {
  readonly currency: string;
  readonly amount: string;
  readonly to_currency: string;
}

export function requestQuote(draft: ConversionDraft): Promise<ConversionQuote> {
  return unwrap(api.POST('/bonus-account/convert/quote', { body: draft }));
}

/** Accepts a quote. The quote is the idempotency key: sent twice, it converts once. */
export function acceptQuote(quoteId: string) {
  return unwrap(
    api.POST('/bonus-account/convert', {
      params: { header: { 'Idempotency-Key': quoteId } },
      body: { quote_id: quoteId },
    }),
  );
}
