import type { RequestBody, ResponseBody } from '@edge-account/sdk';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { PAGE_SIZE } from '../../api/page.ts';
import { api } from '../../session/session-api.ts';
import { changeAsOperator, readAsOperator } from '../elevation.ts';

export type OperatorDeposit = ResponseBody<'/operator/deposits', 'get'>['records'][number];
export type DepositStatus = OperatorDeposit['status'];
export type DepositDecision = 'hold' | 'release' | 'reject';
export type HeldReward = ResponseBody<'/operator/held-rewards', 'get'>['records'][number];
export type RewardOrder = RequestBody<'/operator/rewards', 'post'>;

const REFETCH_MS = 5000;

/** What is absent is any. */
export interface OperatorDepositFilter {
  readonly status?: DepositStatus | undefined;
  readonly currencyNetWork?: string | undefined;
  readonly currency?: string | undefined;
  readonly userId?: number | undefined;
}

/** Page after page, newest first. */
export function depositsQuery(filter: OperatorDepositFilter) {
  return infiniteQueryOptions({
    queryKey: ['operator', 'deposits', filter],
    queryFn: ({ signal, pageParam: current }) =>
      readAsOperator(
        api.GET('/operator/deposits', {
          signal,
          params: { query: { ...filter, current, size: PAGE_SIZE } },
        }),
      ),
    initialPageParam: 1,
    getNextPageParam: ({ current, pages }) => (current < pages ? current + 1 : undefined),
    refetchInterval: REFETCH_MS,
  });
}

/** @param key one for each decision: sent twice, it is made once */
export function decideDeposit(
  id: number,
  decision: DepositDecision,
  { reason, key }: { readonly reason: string; readonly key: string },
) {
  return changeAsOperator(() =>
    api.POST(`/operator/deposits/{id}/${decision}`, {
      params: { path: { id }, header: { 'Idempotency-Key': key } },
      body: reason === '' ? {} : { reason },
    }),
  );
}

/** Page after page. */
export const heldRewardsQuery = infiniteQueryOptions({
  queryKey: ['operator', 'held-rewards'],
  queryFn: ({ signal, pageParam: current }) =>
    readAsOperator(
      api.GET('/operator/held-rewards', {
        signal,
        params: { query: { current, size: PAGE_SIZE } },
      }),
    ),
  initialPageParam: 1,
  getNextPageParam: ({ current, pages }) => (current < pages ? current + 1 : undefined),
  refetchInterval: REFETCH_MS,
});

export const releaseHeld = (userId: number, reason: string) =>
  changeAsOperator(() =>
    api.POST('/operator/held-rewards/release', { body: { user_id: userId, reason } }),
  );

/** @param key one for each form: sent twice, it pays once */
export const payReward = (order: RewardOrder, key: string) =>
  changeAsOperator(() =>
    api.POST('/operator/rewards', {
      params: { header: { 'Idempotency-Key': key } },
      body: order,
    }),
  );
