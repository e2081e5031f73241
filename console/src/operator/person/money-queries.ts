/** Money of a person on its way in or out: what waits, and what became of the last. */
import type { RequestBody, ResponseBody } from '@edge-account/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { PAGE_SIZE } from '../../api/page.ts';
import { api } from '../../session/session-api.ts';
import { changeAsOperator, readAsOperator } from '../elevation.ts';

export type PersonDeposit = ResponseBody<'/operator/deposits', 'get'>['records'][number];
export type Withdrawal = ResponseBody<'/operator/withdrawals', 'get'>[number];

const keyOf = (userId: number, part: string) => ['operator', 'users', 'one', userId, part] as const;

/** The newest hundred. */
export const withdrawalsQuery = (userId: number) =>
  queryOptions({
    queryKey: keyOf(userId, 'withdrawals'),
    queryFn: ({ signal }) =>
      readAsOperator(api.GET('/operator/withdrawals', { signal, params: { query: { userId } } })),
  });

/** @param key one for each form: sent twice, the money is given back once */
export const cancelWithdrawal = (id: number, key: string) =>
  changeAsOperator(() =>
    api.POST('/operator/withdrawals/{id}/cancel', {
      params: { path: { id }, header: { 'Idempotency-Key': key } },
    }),
  );

export type Settlement = NonNullable<RequestBody<'/operator/withdrawals/{id}/settle', 'post'>>;

/** @param key one for each form: sent twice, it is paid once */
export const settleWithdrawal = (id: number, body: Settlement, key: string) =>
  changeAsOperator(() =>
    api.POST('/operator/withdrawals/{id}/settle', {
      params: { path: { id }, header: { 'Idempotency-Key': key } },
      body,
    }),
  );

/** Page after page, newest first. */
export const payoutsOfQuery = (userId: number) =>
  infiniteQueryOptions({
    queryKey: keyOf(userId, 'payouts'),
    queryFn: ({ signal, pageParam: current }) =>
      readAsOperator(
        api.GET('/operator/payouts', {
          signal,
          params: { query: { user_id: userId, current, size: PAGE_SIZE } },
        }),
      ),
    initialPageParam: 1,
    getNextPageParam: ({ current, pages }) => (current < pages ? current + 1 : undefined),
  });

/** Page after page, newest first. */
export const depositsOfQuery = (userId: number) =>
  infiniteQueryOptions({
    queryKey: keyOf(userId, 'deposits'),
    queryFn: ({ signal, pageParam: current }) =>
      readAsOperator(
        api.GET('/operator/deposits', {
          signal,
          params: { query: { userId, current, size: PAGE_SIZE } },
        }),
      ),
    initialPageParam: 1,
    getNextPageParam: ({ current, pages }) => (current < pages ? current + 1 : undefined),
  });
