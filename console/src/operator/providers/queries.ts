import type { RequestBody, ResponseBody } from '@edge-account/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/session-api.ts';
import { changeAsOperator, readAsOperator } from '../elevation.ts';

export type Provider = ResponseBody<'/operator/upstream-providers', 'get'>[number];
export type ProviderOrder = RequestBody<'/operator/upstream-providers/{id}', 'put'>;
export type Preset = NonNullable<ProviderOrder['preset']>;

export const providersQuery = queryOptions({
  queryKey: ['operator', 'providers'],
  queryFn: ({ signal }) => readAsOperator(api.GET('/operator/upstream-providers', { signal })),
});

/** Settings that are left out are reset, but for the secret: a form sends all. */
export function putProvider(id: string, body: ProviderOrder) {
  const params = { path: { id } };
  return changeAsOperator(() => api.PUT('/operator/upstream-providers/{id}', { params, body }));
}

export function deleteProvider(id: string) {
  const params = { path: { id } };
  return changeAsOperator(() => api.DELETE('/operator/upstream-providers/{id}', { params }));
}
