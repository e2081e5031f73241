import type { RequestBody, ResponseBody } from '@edge-account/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../session/session-api.ts';
import { changeAsOperator, readAsOperator } from '../elevation.ts';

export type ResourceServer = ResponseBody<'/operator/resource-servers', 'get'>[number];
type ResourceOrder = Required<RequestBody<'/operator/resource-servers/{id}', 'put'>>;

export const resourcesQuery = queryOptions({
  queryKey: ['operator', 'resources'],
  queryFn: ({ signal }) => readAsOperator(api.GET('/operator/resource-servers', { signal })),
});

export function putResource(id: string, body: ResourceOrder) {
  const params = { path: { id } };
  return changeAsOperator(() => api.PUT('/operator/resource-servers/{id}', { params, body }));
}

export function deleteResource(id: string) {
  const params = { path: { id } };
  return changeAsOperator(() => api.DELETE('/operator/resource-servers/{id}', { params }));
}
