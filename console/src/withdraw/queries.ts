import { type RequestBody, type ResponseBody, unwrap } from '@edge-account/sdk';
import { queryOptions } from '@tanstack/react-query';
import { PAGE_SIZE } from '../api/page.ts';
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

/** What a passkey is to sign is not what the page shows. */
export class OrderMismatch extends Error {}

/** The hash of a text, as a challenge has it. */
async function toChallenge(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const binary = String.fromCharCode(...new Uint8Array(hash));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** What the page shows of a payout. */
export interface ShownOrder {
  readonly body: PayoutOrder;
  readonly target: PayoutAddress;
  readonly key: string;
}

/** A passkey signs the order, once it is seen that it pays what the page shows. */
export const signPayout = ({ body, target, key }: ShownOrder) =>
  promptForPasskey(async () => {
    const header = { 'Idempotency-Key': key };
    const request = api.POST('/payouts/signing-options', { params: { header }, body });
    const { order, options } = await unwrap(request);
    const { request_id, network, currency, address } = JSON.parse(order) as Record<string, unknown>;
    const isShown =
      request_id === key &&
      network === target.network &&
      currency === body.currency &&
      address === target.address;
    if (!isShown || options.challenge !== (await toChallenge(order))) throw new OrderMismatch();
    return options;
  });

export function fetchPayouts(current: number, signal: AbortSignal) {
  const query = { current, size: PAGE_SIZE };
  return unwrap(api.GET('/payouts', { signal, params: { query } }));
}

/** Cancelling twice is the same as once. */
export const cancelPayout = (id: number) =>
  unwrap(
    api.POST('/payouts/{id}/cancel', {
      params: { path: { id }, header: { 'Idempotency-Key': `cancel-${id}` } },
    }),
  );
