import { queryOptions, useQuery } from '@tanstack/react-query';
import { PAGE_SIZE, type PageOf } from '../api/page.ts';
import { callAsMe } from '../session/session.ts';

export type DeviceStatus = 'online' | 'offline' | 'disconnected' | 'deleted';

export interface Device {
  readonly node_id: string;
  readonly name: string;
  readonly device_type: 'TERMINAL' | 'EXTENSION';
  readonly browser: string;
  readonly extension_version: string;
  readonly os: string;
  readonly timezone: string;
  readonly status: DeviceStatus;
  readonly status_reason_code:
    | 'heard'
    | 'silent'
    | 'not_connected_yet'
    | 'registered_again'
    | 'cut_by_owner'
    | 'cut_by_key_holder';
  readonly status_since: string;
  readonly granted_categories: readonly string[];
  readonly requested_categories?: readonly string[];
  readonly capabilities: readonly string[];
  readonly traffic_gb: string;
  readonly created_at: string;
  readonly last_seen_at: string;
}

/** A report of a relay about a device that does not count. */
export interface RefusedReport {
  readonly report_id: string;
  readonly traffic_gb?: string;
  readonly code: string;
  readonly reason: string;
  readonly reason_code?: string;
  readonly reason_values?: Readonly<Record<string, string>>;
  readonly received_at: string;
}

/** Presence changes without an event of its own when a device falls silent: look again now and then. */
const LOOK_AGAIN_MS = 10_000;

export const devicesQuery = queryOptions({
  queryKey: ['devices', 'list'],
  queryFn: async ({ signal }) =>
    (await callAsMe<{ devices: readonly Device[] }>('GET', '/me/devices', { signal })).devices,
  refetchInterval: LOOK_AGAIN_MS,
});

export function useDevices() {
  return useQuery(devicesQuery);
}

function pathOf(nodeId: string): string {
  return `/me/devices/${encodeURIComponent(nodeId)}`;
}

export const refusedReportsQuery = (nodeId: string) =>
  queryOptions({
    queryKey: ['devices', 'refused', nodeId],
    queryFn: ({ signal }) =>
      callAsMe<PageOf<RefusedReport>>('GET', `${pathOf(nodeId)}/refused-reports`, {
        signal,
        query: { current: 1, size: PAGE_SIZE },
      }),
  });

export function renameDevice(nodeId: string, name: string): Promise<Device> {
  return callAsMe('PATCH', pathOf(nodeId), { body: { name } });
}

export function grantCategories(nodeId: string, categories: readonly string[]): Promise<Device> {
  return callAsMe('PATCH', pathOf(nodeId), { body: { granted_categories: categories } });
}

export function cutDevice(nodeId: string, how: 'disconnect' | 'delete'): Promise<Device> {
  return callAsMe('POST', `${pathOf(nodeId)}/${how}`);
}
