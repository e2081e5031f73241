import type { RequestBody, ResponseBody } from '@edge-account/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../../session/session-api.ts';
import { changeAsOperator, readAsOperator } from '../elevation.ts';

export type Withdrawal = ResponseBody<'/operator/withdrawals', 'get'>[number];
export type WithdrawalOrder = RequestBody<'/operator/withdrawals', 'post'>;
export type Settlement = NonNullable<RequestBody<'/operator/withdrawals/{id}/settle', 'post'>>;

/** The newest hundred of a person. */
export const withdrawalsQuery = (userId: number) =>
  queryOptions({
    queryKey: ['operator', 'withdrawals', { userId }],
    queryFn: ({ signal }) =>
      readAsOperator(api.GET('/operator/withdrawals', { signal, params: { query: { userId } } })),
  });

export const withdrawalQuery = (id: number) =>
  queryOptions({
    queryKey: ['operator', 'withdrawals', id],
    queryFn: ({ signal }) =>
      readAsOperator(api.GET('/operator/withdrawals/{id}', { signal, params: { path: { id } } })),
  });

/** What is held, of all people: page after page, oldest first. */
export const openHoldsQuery = infiniteQueryOptions({
  queryKey: ['operator', 'withdrawals', 'open'],
  queryFn: ({ signal, pageParam: cursor }) =>
    readAsOperator(api.GET('/operator/holds', { signal, params: { query: { cursor } } })),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
});

/** @param key one for each form: sent twice, the money is held once */
export const holdWithdrawal = (body: WithdrawalOrder, key: string) =>
  changeAsOperator(() =>
    api.POST('/operator/withdrawals', { params: { header: { 'Idempotency-Key': key } }, body }),
  );

/** @param key one for each form: sent twice, the money is given back once */
export const cancelWithdrawal = (id: number, reason: string, key: string) =>
  changeAsOperator(() =>
    api.POST('/operator/withdrawals/{id}/cancel', {
      params: { path: { id }, header: { 'Idempotency-Key': key } },
      body: { reason },
    }),
  );

/** @param key one for each form: sent twice, it is paid once */
export const settleWithdrawal = (id: number, body: Settlement, key: string) =>
  changeAsOperator(() =>
    api.POST('/operator/withdrawals/{id}/settle', {
      params: { path: { id }, header: { 'Idempotency-Key': key } },
      body,
    }),
  );
