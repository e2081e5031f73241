import { type ResponseBody, unwrap } from '@edge-account/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { PAGE_SIZE } from '../api/page.ts';
import { sumByCurrency } from '../home/accrued.ts';
import { lastDays, todayUtc } from '../lib/time-text.ts';
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

export type RefusedReport = ResponseBody<
  '/me/devices/{node_id}/refused-reports',
  'get'
>['records'][number];

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

export type UsageHour = ResponseBody<'/me/devices/{node_id}/usage', 'get'>['hours'][number];

/** The hours of the last seven UTC days in which the device was online or moved traffic. */
export function usageQuery(nodeId: string) {
  return queryOptions({
    queryKey: ['devices', 'usage', nodeId, todayUtc()],
    queryFn: async ({ signal }) => {
      const params = { path: { node_id: nodeId } };
      return (await unwrap(api.GET('/me/devices/{node_id}/usage', { signal, params }))).hours;
    },
    // Times online are written every five minutes.
    staleTime: 300_000,
  });
}

/** The hours of some UTC days, today included. */
export function usageOfDaysQuery(nodeId: string, days: number) {
  const query = lastDays(days);
  return queryOptions({
    queryKey: ['devices', 'usage', nodeId, query],
    queryFn: async ({ signal }) => {
      const params = { path: { node_id: nodeId }, query };
      return (await unwrap(api.GET('/me/devices/{node_id}/usage', { signal, params }))).hours;
    },
    staleTime: 300_000,
  });
}

const DAYS_OF_EARNINGS = 30;

/**
 * What a device earned in the last 30 UTC days, by currency. It waits for no event: a list may
 * show many devices.
 */
export function earnedByDeviceQuery(nodeId: string) {
  const query = { ...lastDays(DAYS_OF_EARNINGS), nodeId };
  return queryOptions({
    queryKey: ['earned-by-device', query],
    queryFn: async ({ signal }) =>
      sumByCurrency(await unwrap(api.GET('/dashboard/earnings', { signal, params: { query } }))),
    staleTime: 300_000,
  });
}

export type RewardLine = ResponseBody<'/me/rewards', 'get'>['records'][number];

/** What rules paid for one device and UTC day, or why not. */
export function rewardLinesQuery(nodeId: string, day: string) {
  return queryOptions({
    queryKey: ['devices', 'reward-lines', nodeId, day],
    queryFn: async ({ signal }) => {
      const lines: RewardLine[] = [];
      for (let current = 1, pages = 1; current <= pages; current += 1) {
        const query = { nodeId, beginTime: day, endTime: day, current, size: PAGE_SIZE };
        const page = await unwrap(api.GET('/me/rewards', { signal, params: { query } }));
        lines.push(...page.records);
        pages = page.pages;
      }
      return lines;
    },
  });
}

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
