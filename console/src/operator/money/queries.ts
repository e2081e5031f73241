import type { RequestBody, ResponseBody } from '@edge-account/sdk';
import { queryOptions } from '@tanstack/react-query';
import { PAGE_SIZE } from '../../api/page.ts';
import { api } from '../../session/session-api.ts';
import { changeAsOperator, readAsOperator } from '../elevation.ts';

export type OperatorDeposit = ResponseBody<'/operator/deposits', 'get'>['records'][number];
export type HeldReward = ResponseBody<'/operator/held-rewards', 'get'>['records'][number];
export type RewardOrder = RequestBody<'/operator/rewards', 'post'>;

const REFETCH_MS = 5000;

/** Deposits that wait for a decision. */
export const waitingDepositsQuery = queryOptions({
  queryKey: ['operator', 'deposits', 'on_hold'],
  queryFn: ({ signal }) =>
    readAsOperator(
      api.GET('/operator/deposits', {
        signal,
        params: { query: { status: 'on_hold', current: 1, size: PAGE_SIZE } },
      }),
    ),
  refetchInterval: REFETCH_MS,
});

/** @param key one for each decision: sent twice, it is made once */
export function decideDeposit(
  id: number,
  decision: 'release' | 'reject',
  { reason, key }: { readonly reason: string; readonly key: string },
) {
  return changeAsOperator(() =>
    api.POST(`/operator/deposits/{id}/${decision}`, {
      params: { path: { id }, header: { 'Idempotency-Key': key } },
      body: reason === '' ? {} : { reason },
    }),
  );
}

export const heldRewardsQuery = queryOptions({
  queryKey: ['operator', 'held-rewards'],
  queryFn: ({ signal }) =>
    readAsOperator(
      api.GET('/operator/held-rewards', {
        signal,
        params: { query: { current: 1, size: PAGE_SIZE } },
      }),
    ),
  refetchInterval: REFETCH_MS,
});

export const releaseHeld = (userId: number) =>
  changeAsOperator(() => api.POST('/operator/held-rewards/release', { body: { user_id: userId } }));

/** @param key one for each form: sent twice, it pays once */
export const payReward = (order: RewardOrder, key: string) =>
  changeAsOperator(() =>
    api.POST('/operator/rewards', {
      params: { header: { 'Idempotency-Key': key } },
      body: order,
    }),
  );
