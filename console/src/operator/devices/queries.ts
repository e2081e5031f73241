import type { ResponseBody } from '@edge-account/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '../../session/session-api.ts';
import { readAsOperator } from '../elevation.ts';
import { type NetworkDeviceFilter, toDeviceQuery } from './device-filter.ts';

export type NetworkDevice = ResponseBody<'/operator/devices', 'get'>['devices'][number];
export type RefusedReport = ResponseBody<'/operator/refused-reports', 'get'>['reports'][number];

const SIZE = 30;
const KEY = ['operator', 'devices'] as const;

/** Page after page. One that looked through all that it may can be short, and have a next one. */
export function networkDevicesQuery(filter: NetworkDeviceFilter) {
  return infiniteQueryOptions({
    queryKey: [...KEY, 'found', filter],
    queryFn: ({ signal, pageParam: cursor }) =>
      readAsOperator(
        api.GET('/operator/devices', {
          signal,
          params: { query: { ...toDeviceQuery(filter), cursor, size: SIZE } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
}

export const refusedReportsQuery = infiniteQueryOptions({
  queryKey: [...KEY, 'refused'],
  queryFn: ({ signal, pageParam: cursor }) =>
    readAsOperator(
      api.GET('/operator/refused-reports', { signal, params: { query: { cursor, size: SIZE } } }),
    ),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
});

export const refusedCountsQuery = queryOptions({
  queryKey: [...KEY, 'refused', 'counts'],
  queryFn: ({ signal }) => readAsOperator(api.GET('/operator/refused-reports/counts', { signal })),
});

export const sharedAddressesQuery = queryOptions({
  queryKey: [...KEY, 'shared'],
  queryFn: ({ signal }) => readAsOperator(api.GET('/operator/device-addresses', { signal })),
});
