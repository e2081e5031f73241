import { type ResponseBody, unwrap } from '@edge-account/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { PAGE_SIZE } from '../api/page.ts';
import { api } from '../session/session-api.ts';

export type Device = ResponseBody<'/me/devices', 'get'>['devices'][number];
export type DeviceStatus = Device['status'];

/** A device that stops sending heartbeats causes no event. */
const REFETCH_MS = 10_000;

export const devicesQuery = queryOptions({
  queryKey: ['devices', 'list'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/me/devices', { signal }))).devices,
  refetchInterval: REFETCH_MS,
});

export function useDevices() {
  return useQuery(devicesQuery);
}

export const refusedReportsQuery = (nodeId: string) =>
  queryOptions({
    queryKey: ['devices', 'refused', nodeId],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/me/devices/{node_id}/refused-reports', {
          signal,
          params: { path: { node_id: nodeId }, query: { current: 1, size: PAGE_SIZE } },
        }),
      ),
  });

function updateDevice(
  nodeId: string,
  body: { name?: string; granted_categories?: string[] },
): Promise<Device> {
  return unwrap(
    api.PATCH('/me/devices/{node_id}', { params: { path: { node_id: nodeId } }, body }),
  );
}

export function renameDevice(nodeId: string, name: string): Promise<Device> {
  return updateDevice(nodeId, { name });
}

export function grantCategories(nodeId: string, categories: readonly string[]): Promise<Device> {
  return updateDevice(nodeId, { granted_categories: [...categories] });
}

export function revokeDevice(nodeId: string, how: 'disconnect' | 'delete'): Promise<Device> {
  return unwrap(
    api.POST(`/me/devices/{node_id}/${how}`, { params: { path: { node_id: nodeId } } }),
  );
}
