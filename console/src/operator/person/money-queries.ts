/** Money of a person on its way in or out: what waits, and what became of the last. */
import type { ResponseBody } from '@edge-account/sdk';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { PAGE_SIZE } from '../../api/page.ts';
import { api } from '../../session/session-api.ts';
import { readAsOperator } from '../elevation.ts';

export type PersonDeposit = ResponseBody<'/operator/deposits', 'get'>['records'][number];

const keyOf = (userId: number, part: string) => ['operator', 'users', 'one', userId, part] as const;

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
