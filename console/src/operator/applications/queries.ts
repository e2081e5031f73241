import type { RequestBody, ResponseBody } from '@edge-account/sdk';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { PAGE_SIZE } from '../../api/page.ts';
import { api } from '../../session/session-api.ts';
import { changeAsOperator, readAsOperator } from '../elevation.ts';

export type Application = ResponseBody<'/operator/clients', 'get'>['records'][number];

/** Page after page. */
export const applicationsQuery = infiniteQueryOptions({
  queryKey: ['operator', 'applications'],
  queryFn: ({ signal, pageParam: current }) =>
    readAsOperator(
      api.GET('/operator/clients', { signal, params: { query: { current, size: PAGE_SIZE } } }),
    ),
  initialPageParam: 1,
  getNextPageParam: ({ current, pages }) => (current < pages ? current + 1 : undefined),
});

/** The response contains the secret of a confidential client, which cannot be read again. */
export const createApplication = (body: RequestBody<'/operator/clients', 'post'>) =>
  changeAsOperator(() => api.POST('/operator/clients', { body }));

export function changeApplication(
  clientId: string,
  body: RequestBody<'/operator/clients/{client_id}', 'patch'>,
) {
  const params = { path: { client_id: clientId } };
  return changeAsOperator(() => api.PATCH('/operator/clients/{client_id}', { params, body }));
}

/** Its tokens are refused at once, and the consents of people end. */
export async function deleteApplication(clientId: string): Promise<void> {
  const params = { path: { client_id: clientId } };
  await changeAsOperator(() => api.DELETE('/operator/clients/{client_id}', { params }));
}

/** The old secret is refused from now on. */
export function rotateSecret(clientId: string) {
  const params = { path: { client_id: clientId } };
  return changeAsOperator(() => api.POST('/operator/clients/{client_id}/secret', { params }));
}

/** The response contains the token, which cannot be read again. */
export const createRegistrationToken = (
  body: Required<RequestBody<'/operator/registration-tokens', 'post'>>,
) => changeAsOperator(() => api.POST('/operator/registration-tokens', { body }));
