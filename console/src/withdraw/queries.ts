import { type RequestBody, type ResponseBody, unwrap } from '@edge-account/sdk';
import { queryOptions } from '@tanstack/react-query';
import { PAGE_SIZE } from '../api/page.ts';
import { checkOrder, type ShownPayout } from '../lib/signed-payout.ts';
import { api } from '../session/session-api.ts';
import { promptForPasskey } from '../sign-in/passkey-prompt.ts';

export type PayoutAddress = ResponseBody<'/me/payout-addresses', 'get'>[number];
export type PayoutQuote = ResponseBody<'/payouts/quote', 'get'>;
export type Payout = ResponseBody<'/payouts', 'get'>['records'][number];
export type PayoutOrder = RequestBody<'/payouts/signing-options', 'post'>;
type PayoutRequest = RequestBody<'/payouts', 'post'>;
export type NewAddress = RequestBody<'/me/payout-addresses', 'post'>;

export const addressesQuery = queryOptions({
  queryKey: ['payouts', 'addresses'],
  queryFn: ({ signal }) => unwrap(api.GET('/me/payout-addresses', { signal })),
});

export const addAddress = (body: NewAddress) => unwrap(api.POST('/me/payout-addresses', { body }));

export const removeAddress = (id: number) =>
  unwrap(api.DELETE('/me/payout-addresses/{id}', { params: { path: { id } } }));

interface QuoteOrder {
  readonly currency: string;
  readonly network: string;
  readonly amount?: string;
}

const fetchQuote = (query: QuoteOrder, signal?: AbortSignal) =>
  unwrap(api.GET('/payouts/quote', { ...(signal && { signal }), params: { query } }));

/** The terms of what is entered. */
export const requestQuote = (order: Required<QuoteOrder>) => fetchQuote(order);

/** The terms before anything is entered. */
export function termsQuery(currency: string, network: string) {
  return queryOptions({
    queryKey: ['payouts', 'terms', currency, network],
    queryFn: ({ signal }) => fetchQuote({ currency, network }, signal),
    enabled: currency !== '' && network !== '',
  });
}

/** @param key one for each quote: sent twice, it is requested once */
export const requestPayout = (body: PayoutRequest, key: string) =>
  unwrap(api.POST('/payouts', { params: { header: { 'Idempotency-Key': key } }, body }));

/** What the page shows of a payout. */
export interface ShownOrder {
  readonly body: PayoutOrder;
  readonly shown: ShownPayout;
  readonly key: string;
}

/** A passkey signs the order, once it is seen that it pays what the page shows. */
export const signPayout = ({ body, shown, key }: ShownOrder) =>
  promptForPasskey(async () => {
    const header = { 'Idempotency-Key': key };
    const request = api.POST('/payouts/signing-options', { params: { header }, body });
    const { order, options } = await unwrap(request);
    await checkOrder({ text: order, challenge: options.challenge }, shown, key);
    return options;
  });

export function fetchPayouts(current: number, signal: AbortSignal) {
  const query = { current, size: PAGE_SIZE };
  return unwrap(api.GET('/payouts', { signal, params: { query } }));
}

/** @param key one for each click: the service answers a repeated key as it did before */
export const cancelPayout = (id: number, key: string) =>
  unwrap(
    api.POST('/payouts/{id}/cancel', {
      params: { path: { id }, header: { 'Idempotency-Key': key } },
    }),
  );
