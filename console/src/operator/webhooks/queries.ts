import type { RequestBody, ResponseBody } from '@edge-account/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { PAGE_SIZE } from '../../api/page.ts';
import { serverNow_ms } from '../../lib/server-clock.ts';
import { api } from '../../session/session-api.ts';
import { changeAsOperator, readAsOperator } from '../elevation.ts';

export type Webhook = ResponseBody<'/operator/webhooks', 'get'>[number];
export type Delivery = ResponseBody<'/operator/webhooks/{id}/deliveries', 'get'>['records'][number];
export type DeliveryState = Delivery['state'];
export type WebhookChange = Required<RequestBody<'/operator/webhooks', 'post'>>;

const REFETCH_MS = 5000;

export const webhooksQuery = queryOptions({
  queryKey: ['operator', 'webhooks'],
  queryFn: ({ signal }) => readAsOperator(api.GET('/operator/webhooks', { signal })),
  refetchInterval: REFETCH_MS,
});

/** The current state: the service disables a webhook whose receiver is gone. */
export const fetchWebhook = (id: number) =>
  readAsOperator(api.GET('/operator/webhooks/{id}', { params: { path: { id } } }));

const DEAD_KEPT_MS = 30 * 86_400_000;

export function redeliverDead(id: number) {
  const body = { since: new Date(serverNow_ms() - DEAD_KEPT_MS).toISOString() };
  const params = { path: { id } };
  return changeAsOperator(() => api.POST('/operator/webhooks/{id}/redeliver', { params, body }));
}

/** The response contains the signing secret, which cannot be read again. */
export function createWebhook(body: WebhookChange) {
  return changeAsOperator(() => api.POST('/operator/webhooks', { body }));
}

/** The response contains the new secret. For a day the old one signs beside it. */
export function rotateWebhookSecret(id: number) {
  const params = { path: { id } };
  return changeAsOperator(() => api.POST('/operator/webhooks/{id}/rotate-secret', { params }));
}

export function changeWebhook(
  id: number,
  body: RequestBody<'/operator/webhooks/{id}', 'patch'>,
): Promise<Webhook> {
  const params = { path: { id } };
  return changeAsOperator(() => api.PATCH('/operator/webhooks/{id}', { params, body }));
}

export async function deleteWebhook(id: number): Promise<void> {
  await changeAsOperator(() => api.DELETE('/operator/webhooks/{id}', { params: { path: { id } } }));
}

export async function testWebhook(id: number): Promise<void> {
  await changeAsOperator(() =>
    api.POST('/operator/webhooks/{id}/test', { params: { path: { id } } }),
  );
}

/** Page after page, newest first. */
export const deliveriesQuery = (id: number, state: DeliveryState) =>
  infiniteQueryOptions({
    queryKey: ['operator', 'webhooks', id, 'deliveries', state],
    queryFn: ({ signal, pageParam: current }) =>
      readAsOperator(
        api.GET('/operator/webhooks/{id}/deliveries', {
          signal,
          params: { path: { id }, query: { state, current, size: PAGE_SIZE } },
        }),
      ),
    initialPageParam: 1,
    getNextPageParam: ({ current, pages }) => (current < pages ? current + 1 : undefined),
    refetchInterval: REFETCH_MS,
  });

/** One message with the body that is posted. */
export const deliveryQuery = (id: number, deliveryId: number) =>
  queryOptions({
    queryKey: ['operator', 'webhooks', id, 'delivery', deliveryId],
    queryFn: ({ signal }) =>
      readAsOperator(
        api.GET('/operator/webhooks/{id}/deliveries/{delivery_id}', {
          signal,
          params: { path: { id, delivery_id: deliveryId } },
        }),
      ),
  });

export async function redeliver(id: number, deliveryId: number): Promise<void> {
  await changeAsOperator(() =>
    api.POST('/operator/webhooks/{id}/deliveries/{delivery_id}/redeliver', {
      params: { path: { id, delivery_id: deliveryId } },
    }),
  );
}
