import type { ResponseBody } from '@edge-account/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/session-api.ts';
import { changeAsOperator, readAsOperator } from '../elevation.ts';

export type Transfer = ResponseBody<'/operator/transfers/{id}', 'get'>;
export type TransferSide = Transfer['debit'];
export type Purchase = ResponseBody<'/operator/purchases/{id}', 'get'>;

export const transferQuery = (id: number) =>
  queryOptions({
    queryKey: ['operator', 'transfers', id],
    queryFn: ({ signal }) =>
      readAsOperator(api.GET('/operator/transfers/{id}', { signal, params: { path: { id } } })),
  });

/** @param key one for each form: sent twice, it is undone once */
export const reverseTransfer = (
  id: number,
  { remark, key }: { readonly remark: string; readonly key: string },
) =>
  changeAsOperator(() =>
    api.POST('/operator/transfers/{id}/reverse', {
      params: { path: { id }, header: { 'Idempotency-Key': key } },
      body: { remark },
    }),
  );

export const purchaseQuery = (id: number) =>
  queryOptions({
    queryKey: ['operator', 'purchases', id],
    queryFn: ({ signal }) =>
      readAsOperator(api.GET('/operator/purchases/{id}', { signal, params: { path: { id } } })),
  });

interface Refund {
  /** Exact decimal text; empty: all that remains. */
  readonly amount: string;
  readonly reference: string;
}

/** @param key one for each form: sent twice, it is paid back once */
export const refundPurchase = (id: number, { amount, reference }: Refund, key: string) =>
  changeAsOperator(() =>
    api.POST('/operator/purchases/{id}/refund', {
      params: { path: { id }, header: { 'Idempotency-Key': key } },
      body: { ...(amount !== '' && { amount }), ...(reference !== '' && { reference }) },
    }),
  );
