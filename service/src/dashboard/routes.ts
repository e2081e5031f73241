/** `/dashboard/…`: the account at a glance, rewards by type, earnings by day. */

import { callingUserId, type HttpServer } from '../http/index.ts';
import { operations } from './operations.ts';
import {
  DashboardOverviewVO,
  DeviceEarningsQuery,
  Earnings,
  EarningsQuery,
  NetworkRewards,
  NodeParameters,
} from './schemas.ts';
import { type EarningsDeps, showDeviceEarnings, showEarnings } from './show-earnings.ts';
import { type OverviewDeps, showOverview } from './show-overview.ts';
import { showRewards } from './show-rewards.ts';

export type DashboardDeps = OverviewDeps & EarningsDeps;

const config = { access: { scopes: ['dashboard:read'] }, readsFrom: 'standby' } as const;

export function registerDashboard(app: HttpServer, deps: DashboardDeps): void {
  app.get(
    '/dashboard/overview',
    {
      config,
      schema: { ...operations.getOverview, response: { 200: DashboardOverviewVO } },
    },
    async (request) => showOverview(deps, callingUserId(request)),
  );
  app.get(
    '/dashboard/network-rewards',
    {
      config,
      schema: { ...operations.listNetworkRewards, response: { 200: NetworkRewards } },
    },
    async (request) => showRewards(deps, callingUserId(request)),
  );
  app.get(
    '/dashboard/earnings',
    {
      config,
      schema: {
        ...operations.listEarnings,
        querystring: EarningsQuery,
        response: { 200: Earnings },
      },
    },
    async (request) => showEarnings(deps, callingUserId(request), request.query),
  );
  app.get(
    '/me/devices/:node_id/earnings',
    {
      config: { access: { scopes: ['devices:read'], isNodeRoute: true }, readsFrom: 'standby' },
      schema: {
        ...operations.listDeviceEarnings,
        params: NodeParameters,
        querystring: DeviceEarningsQuery,
        response: { 200: Earnings },
      },
    },
    async (request) => {
      const device = { userId: callingUserId(request), nodeId: request.params.node_id };
      return showDeviceEarnings(deps, device, request.query);
    },
  );
}
