import type { ResponseBody } from '@edge-account/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/session-api.ts';
import { readAsOperator } from '../elevation.ts';

export type Overview = ResponseBody<'/operator/overview', 'get'>;
export type DayFigures = Overview['days'][number];

/** As long as the service keeps its answer. */
const REFETCH_MS = 15_000;

export const overviewQuery = queryOptions({
  queryKey: ['operator', 'overview'],
  queryFn: ({ signal }) => readAsOperator(api.GET('/operator/overview', { signal })),
  refetchInterval: REFETCH_MS,
});
