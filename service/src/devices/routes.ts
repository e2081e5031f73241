/** `/me/devices`: the devices of the current user, and the routes that devices call. */

import type { Database } from '../db/index.ts';
import { callingUserId, getCaller, type HttpServer } from '../http/index.ts';
import { failure } from '../lib/failures.ts';
import { toSubnet } from '../lib/rate-limit-subnet.ts';
import type { StatusRules } from './device-status.ts';
import type { CallingDevices } from './find-calling-device.ts';
import type { HeartbeatRateLimit } from './heartbeat-rate-limit.ts';
import type { DeviceList } from './list-devices.ts';
import { operations } from './operations.ts';
import type { Presence } from './presence.ts';
import { type DeviceRow, getOwnDevice, listDeviceRows, toDevice } from './queries.ts';
import { type RegisterDeps, registerDevice } from './register-device.ts';
import { type OwnDevice, revokeOwnDevice } from './revoke-device.ts';
import {
  Device,
  DeviceForm,
  DeviceListQuery,
  DeviceListVO,
  DevicePatch,
  DeviceReference,
  Heartbeat,
  NodeParameters,
} from './schemas.ts';
import { updateOwnDevice } from './update-device.ts';

export interface DeviceRoutesDeps extends RegisterDeps {
  readonly database: Database;
  readonly presence: Presence;
  readonly calling: CallingDevices;
  readonly heartbeatLimit: HeartbeatRateLimit;
  readonly list: DeviceList;
  readonly heartbeatInterval_s: number;
}

const NODE_ID = /^[A-Za-z0-9_-][A-Za-z0-9._:~-]{0,127}$/;
/** Paths beside the nodes. */
const RESERVED: ReadonlySet<string> = new Set(['connect', 'connect-ticket']);

type View = (row: DeviceRow) => ReturnType<typeof toDevice>;

function registerReads(app: HttpServer, { database, list }: DeviceRoutesDeps, view: View): void {
  app.get(
    '/me/devices',
    {
      config: { access: { scopes: ['devices:read'] } },
      schema: {
        ...operations.listDevices,
        querystring: DeviceListQuery,
        response: { 200: DeviceListVO },
      },
    },
    async (request, reply) => {
      const { status } = request.query;
      if (status === undefined) {
        const body = await list.read(callingUserId(request), request.wantsAmountsAsStrings);
        return reply.type('application/json; charset=utf-8').send(body as never);
      }
      const rows = await listDeviceRows(database, callingUserId(request), status === 'deleted');
      return { devices: rows.map(view).filter((device) => device.status === status) };
    },
  );
  app.get(
    '/me/devices/:node_id',
    {
      config: { access: { scopes: ['devices:read'], isNodeRoute: true } },
      schema: {
        ...operations.getDevice,
        params: NodeParameters,
        response: { 200: DeviceReference },
      },
    },
    async (request) =>
      view(await getOwnDevice(database, callingUserId(request), request.params.node_id)),
  );
}

const REVOCATIONS = [
  {
    path: '/me/devices/:node_id/disconnect',
    kind: 'disconnected',
    operation: operations.disconnectDevice,
  },
  { path: '/me/devices/:node_id/delete', kind: 'deleted', operation: operations.deleteDevice },
] as const;

function registerOwnerWrites(app: HttpServer, deps: DeviceRoutesDeps, view: View): void {
  const scopes = ['devices:write'];
  const own = (request: Parameters<typeof callingUserId>[0], nodeId: string): OwnDevice => ({
    userId: callingUserId(request),
    nodeId,
  });
  for (const { path, kind, operation } of REVOCATIONS)
    app.post(
      path,
      {
        config: { access: { scopes, isNodeRoute: true } },
        schema: {
          ...operation,
          params: NodeParameters,
          response: { 200: DeviceReference },
        },
      },
      async (request) => {
        const device = own(request, request.params.node_id);
        return view(await revokeOwnDevice(deps.database, deps, device, kind));
      },
    );
  app.patch(
    '/me/devices/:node_id',
    {
      config: { access: { scopes } },
      schema: {
        ...operations.updateDevice,
        params: NodeParameters,
        body: DevicePatch,
        response: { 200: DeviceReference },
      },
    },
    async (request) => {
      const device = own(request, request.params.node_id);
      return view(await updateOwnDevice(deps.database, deps.clock, device, request.body));
    },
  );
}

function registerDeviceWrites(app: HttpServer, deps: DeviceRoutesDeps, view: View): void {
  const { database, clock, presence, calling, heartbeatLimit, list, heartbeatInterval_s } = deps;
  const access = { scopes: ['device:connect'], tokens: ['device' as const], isNodeRoute: true };
  app.put(
    '/me/devices/:node_id',
    {
      config: { access },
      schema: {
        ...operations.registerDevice,
        params: NodeParameters,
        body: DeviceForm,
        response: { 200: DeviceReference },
      },
    },
    async (request) => {
      const userId = callingUserId(request);
      const nodeId = request.params.node_id;
      if (!NODE_ID.test(nodeId) || RESERVED.has(nodeId)) throw failure('not_found');
      const principal = getCaller(request);
      const row = await registerDevice(database, deps, {
        principal,
        userId,
        nodeId,
        address: toSubnet(request.ip),
        form: request.body,
      });
      return view(row);
    },
  );
  app.post(
    '/me/devices/:node_id/heartbeat',
    {
      config: { access: { ...access, isFleeting: true }, roles: ['http', 'gateway'] },
      logLevel: 'warn',
      schema: { ...operations.sendHeartbeat, params: NodeParameters, response: { 200: Heartbeat } },
    },
    async (request) => {
      const { deviceId, nodeId, userId } = await calling.find(
        getCaller(request),
        request.params.node_id,
      );
      heartbeatLimit.consume(deviceId);
      presence.recordHeartbeat(deviceId, toSubnet(request.ip));
      list.invalidate(userId);
      return {
        node_id: nodeId,
        status: 'online' as const,
        heartbeat_interval: heartbeatInterval_s,
        server_time: clock.now().toISOString(),
      };
    },
  );
}

export function registerDeviceRoutes(app: HttpServer, deps: DeviceRoutesDeps): void {
  const rules = (): StatusRules => ({
    now: deps.clock.now(),
    heartbeatInterval_s: deps.heartbeatInterval_s,
  });
  const lastHeard = (deviceId: number) => deps.presence.lastHeard(deviceId);
  const view: View = (row) => toDevice(row, rules(), lastHeard);
  app.addSchema(Device);
  registerReads(app, deps, view);
  registerOwnerWrites(app, deps, view);
  registerDeviceWrites(app, deps, view);
}
