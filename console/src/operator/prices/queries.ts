import type { RequestBody, ResponseBody } from '@edge-account/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/session-api.ts';
import { changeAsOperator, readAsOperator } from '../elevation.ts';

export type Price = ResponseBody<'/operator/prices', 'get'>[number];
export type PriceFeed = ResponseBody<'/operator/price-feeds', 'get'>[number];
type FeedOrder = RequestBody<'/operator/price-feeds/{name}', 'put'>;

const REFETCH_MS = 15_000;

export const pricesQuery = queryOptions({
  queryKey: ['operator', 'prices'],
  queryFn: ({ signal }) => readAsOperator(api.GET('/operator/prices', { signal })),
  refetchInterval: REFETCH_MS,
});

export const setPrice = (order: RequestBody<'/operator/prices', 'post'>) =>
  changeAsOperator(() => api.POST('/operator/prices', { body: order }));

export const feedsQuery = queryOptions({
  queryKey: ['operator', 'price-feeds'],
  queryFn: ({ signal }) => readAsOperator(api.GET('/operator/price-feeds', { signal })),
  refetchInterval: REFETCH_MS,
});

/** Adds it, or replaces the one of that name. */
export const putFeed = (name: string, body: FeedOrder) =>
  changeAsOperator(() =>
    api.PUT('/operator/price-feeds/{name}', { params: { path: { name } }, body }),
  );

export const deleteFeed = (name: string) =>
  changeAsOperator(() =>
    api.DELETE('/operator/price-feeds/{name}', { params: { path: { name } } }),
  );
