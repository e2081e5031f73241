import type { RequestBody, ResponseBody } from '@edge-account/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/session-api.ts';
import { changeAsOperator, readAsOperator } from '../elevation.ts';

export type BrandSettings = ResponseBody<'/operator/brand', 'get'>;
export type BrandOrder = RequestBody<'/operator/brand', 'put'>;

export const brandQuery = queryOptions({
  queryKey: ['operator', 'brand'],
  queryFn: ({ signal }) => readAsOperator(api.GET('/operator/brand', { signal })),
});

/** What is left out, but a logo, gets its default. */
export const putBrand = (body: BrandOrder) =>
  changeAsOperator(() => api.PUT('/operator/brand', { body }));
