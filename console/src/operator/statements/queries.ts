import type { ResponseBody } from '@edge-account/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { PAGE_SIZE } from '../../api/page.ts';
import { api } from '../../session/session-api.ts';
import { readAsOperator } from '../elevation.ts';
import type { StatementFilter } from './statement-filter.ts';

type Statement = ResponseBody<'/operator/statements', 'get'>;
export type StatementBill = Statement['records'][number];
export type HouseDay = ResponseBody<'/operator/statements/days', 'get'>['days'][number];

export interface HouseRef {
  readonly house: string;
  readonly currency: string;
}

/** The page before stays in sight until the next one is there. */
export const statementQuery = (
  { house, currency }: HouseRef,
  { page, beginTime, endTime }: StatementFilter,
) => {
  const query = {
    house,
    currency,
    beginTime,
    endTime,
    current: Number(page ?? 1),
    size: PAGE_SIZE,
  };
  return queryOptions({
    queryKey: ['operator', 'house', 'statement', query],
    queryFn: ({ signal }) =>
      readAsOperator(api.GET('/operator/statements', { signal, params: { query } })),
    placeholderData: keepPreviousData,
  });
};

const DAY_MS = 86_400_000;
/** As many days as the service shows at once. */
const DAYS_MAX = 31;

/** With a first day alone, it is the days from there on. */
function lastDayOf({ beginTime, endTime }: StatementFilter): string | undefined {
  if (endTime !== undefined || beginTime === undefined) return endTime;
  const last_ms = Date.parse(`${beginTime}T00:00:00Z`) + (DAYS_MAX - 1) * DAY_MS;
  return new Date(last_ms).toISOString().slice(0, 'yyyy-MM-dd'.length);
}

export const daysQuery = ({ house, currency }: HouseRef, filter: StatementFilter) => {
  const query = { house, currency, beginTime: filter.beginTime, endTime: lastDayOf(filter) };
  return queryOptions({
    queryKey: ['operator', 'house', 'days', query],
    queryFn: ({ signal }) =>
      readAsOperator(api.GET('/operator/statements/days', { signal, params: { query } })),
    placeholderData: keepPreviousData,
  });
};
