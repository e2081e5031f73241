import type { ResponseBody } from '@edge-account/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { PAGE_SIZE } from '../../api/page.ts';
import { api } from '../../session/session-api.ts';
import { changeAsOperator, readAsOperator } from '../elevation.ts';

export type Settlement = ResponseBody<'/operator/settlements', 'get'>['records'][number];

const REFETCH_MS = 15_000;

export const settlementsQuery = (current: number, state: 'unfinished' | undefined) =>
  queryOptions({
    queryKey: ['operator', 'settlements', state, current],
    queryFn: ({ signal }) =>
      readAsOperator(
        api.GET('/operator/settlements', {
          signal,
          params: { query: { current, size: PAGE_SIZE, state } },
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
  });

export const closeSettlement = (id: number, reason: string) =>
  changeAsOperator(() =>
    api.POST('/operator/settlements/{id}/close', { params: { path: { id } }, body: { reason } }),
  );
