/** Lists of transfers and purchases, and what records a purchase. */
import type { RequestBody, ResponseBody } from '@edge-account/sdk';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { api } from '../../session/session-api.ts';
import { changeAsOperator, readAsOperator } from '../elevation.ts';

export type ListedTransfer = ResponseBody<'/operator/transfers', 'get'>['transfers'][number];
export type ListedPurchase = ResponseBody<'/operator/purchases', 'get'>['purchases'][number];
/** The amount is exact decimal text. */
export type PurchaseOrder = RequestBody<'/operator/purchases', 'post'> & {
  readonly amount: string;
};

/** One of both, or all. */
export interface TransferListFilter {
  readonly userId?: number;
  /** An account of the house. */
  readonly house?: string;
}

/** Page after page, newest first. */
export function transfersQuery({ userId: user_id, house }: TransferListFilter) {
  return infiniteQueryOptions({
    queryKey: ['operator', 'transfers', 'list', { user_id, house }],
    queryFn: ({ signal, pageParam: cursor }) =>
      readAsOperator(
        api.GET('/operator/transfers', { signal, params: { query: { user_id, house, cursor } } }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
}

/** Page after page, last recorded first. */
export function purchasesQuery(user_id: number | undefined) {
  return infiniteQueryOptions({
    queryKey: ['operator', 'purchases', 'list', { user_id }],
    queryFn: ({ signal, pageParam: cursor }) =>
      readAsOperator(
        api.GET('/operator/purchases', { signal, params: { query: { user_id, cursor } } }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
}

/** @param key one for each form: sent twice, it is recorded once */
export const recordPurchase = (body: PurchaseOrder, key: string) =>
  changeAsOperator(() =>
    api.POST('/operator/purchases', { params: { header: { 'Idempotency-Key': key } }, body }),
  );
