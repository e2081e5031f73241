/** Devices: registry, presence, live connections, traffic. */
import type { Config } from '../config.ts';
import type { Database } from '../db/index.ts';
import type { HttpServer, Metrics } from '../http/index.ts';
import { revoke, type TokenState } from '../identity/index.ts';
import type { Job } from '../jobs/index.ts';
import type { Clock } from '../lib/clock.ts';
import { registerConnectRoutes } from './connect-routes.ts';
import { ConnectionRegistry } from './connection-registry.ts';
import { deleteExpiredLeases } from './connection-statements.ts';
import { offlineAfter_ms } from './device-status.ts';
import type { TokenFeed } from './device-tokens.ts';
import { CallingDevices } from './find-calling-device.ts';
import { type DeviceFilter, type FoundDevices, findDevices } from './find-devices.ts';
import { HeartbeatRateLimit } from './heartbeat-rate-limit.ts';
import { ConnectAttempts } from './limit-connect-attempts.ts';
import { DeviceList } from './list-devices.ts';
import { LiveConnections } from './live-connections.ts';
import { Presence } from './presence.ts';
import { type LastHeard, listDeviceRows, toDevice } from './queries.ts';
import type { FindGrantedCategories } from './register-device.ts';
import { registerRejectedReportRoutes } from './rejected-report-routes.ts';
import { type FindGrantTime, resolveGrantTime } from './resolve-grant-time.ts';
import { registerDeviceRoutes } from './routes.ts';
import { registerUsageRoutes } from './usage-routes.ts';

export { CONFIRMED_AT, countConnections } from './connection-statements.ts';
export { findBoundNode } from './device-tokens.ts';
export { listSharedAddresses } from './find-devices.ts';
export { type ImportedDevice, importDevices } from './import-devices.ts';
export {
  countRefusedReports,
  listRefusedReports,
  type RefusedReport,
  type ReportCursor,
} from './list-refused-reports.ts';
export { deviceNameOf, type NamedDevice } from './queries.ts';
export { recordTraffic, type TrafficResult } from './record-traffic.ts';
export { describeMalformed, REFUSAL_REASONS } from './refusal-reasons.ts';
export type { FindGrantTime } from './resolve-grant-time.ts';
export { DEVICES_RETENTION } from './retention.ts';
export { DEVICE_TYPES, Device } from './schemas.ts';
export { type RejectedReport, storeRejectedReports } from './store-rejected-reports.ts';
export { DEVICE_FAULTS, hashReport, REPORT_ID_MAX, type TrafficReport } from './traffic-report.ts';

export interface DevicesDeps {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly tokenState: Pick<TokenState, 'check' | 'known' | 'onRevoked'>;
  readonly findGrantTime: FindGrantTime;
  readonly endGrant: TokenFeed['endGrant'];
  readonly findGrantedCategories: FindGrantedCategories;
  readonly metrics: Metrics;
  /** True for origins of pages that may open live connections. */
  isAllowedOrigin(origin: string): boolean | Promise<boolean>;
}

export interface Devices {
  /** Devices of a user as the wire shows them, deleted ones left out; newest first. */
  listOf(userId: number): Promise<ReturnType<typeof toDevice>[]>;
  /** Devices of all users that a filter names, newest first. */
  find(
    filter: DeviceFilter,
    page: { readonly size: number; readonly before?: number | undefined },
  ): Promise<FoundDevices>;
  readonly jobs: readonly Job[];
  start(): Promise<void>;
  stop(): Promise<void>;
}

const CLEAN_INTERVAL_MS = 600_000;

function createDevicesContext(app: HttpServer, { config, database, clock }: DevicesDeps) {
  const heartbeatInterval_s = config.HEARTBEAT_INTERVAL;
  const messagesPerSecond = config.MESSAGES_PER_SECOND;
  const onPresenceError = (error: unknown): void =>
    app.log.error({ err: error }, 'presence was not written');
  const presence = new Presence({
    database,
    clock,
    heartbeatInterval_s,
    grace_s: config.REWARD_GRACE,
    onError: onPresenceError,
  });
  const connections = new LiveConnections({
    clock,
    presence,
    heartbeatInterval_s,
    messagesPerSecond,
  });
  return {
    presence,
    connections,
    registry: new ConnectionRegistry({
      database,
      clock,
      limits: { user: config.CONNECTIONS_PER_USER, address: config.CONNECTIONS_PER_ADDRESS },
      onEvicted: (deviceId, cause, text) => connections.evict(deviceId, cause, text),
      onError: (error) =>
        app.log.warn({ err: error }, 'live connections were not shared with other instances'),
      writePresence: () => presence.flushChanges().catch(onPresenceError),
    }),
    list: new DeviceList({
      database,
      clock,
      heartbeatInterval_s,
      lastHeard: (deviceId) => presence.lastHeard(deviceId),
    }),
    calling: new CallingDevices(database),
    attempts: new ConnectAttempts(clock, config.CONNECTS_PER_SECOND),
    heartbeatLimit: new HeartbeatRateLimit({ clock, heartbeatInterval_s, messagesPerSecond }),
  };
}
type DevicesContext = ReturnType<typeof createDevicesContext>;

/** Shows at `/metrics` how many devices are connected, and why connections were closed. */
function registerConnectionMetrics(metrics: Metrics, connections: LiveConnections): void {
  metrics.gauge(
    'edge_account_live_connections',
    'Live connections of devices.',
    'state',
    async () => ({ open: connections.stats().open }),
  );
  metrics.gauge(
    'edge_account_live_connections_closed',
    'Live connections that the service closed.',
    'why',
    async () => connections.stats().closed,
  );
}

function registerRoutes(
  app: HttpServer,
  deps: DevicesDeps,
  context: DevicesContext,
  longestGrant_ms: number,
): void {
  const { config, database, clock, tokenState } = deps;
  const feed: TokenFeed = {
    revoke,
    endGrant: deps.endGrant,
    longestGrant_ms,
    resolveGrantTime: (db, principal) => resolveGrantTime(db, principal, deps.findGrantTime),
  };
  registerDeviceRoutes(app, {
    ...context,
    database,
    clock,
    feed,
    heartbeatInterval_s: config.HEARTBEAT_INTERVAL,
    limits: { perUser: config.DEVICES_PER_USER, perAddress: config.DEVICES_PER_ADDRESS },
    findGrantedCategories: deps.findGrantedCategories,
    newDevices: { name: 'device-register', hits: config.REGISTRATIONS_PER_HOUR, window_s: 3600 },
  });
  registerUsageRoutes(app, { database, clock });
  registerRejectedReportRoutes(app, { database });
  registerConnectRoutes(app, {
    ...context,
    database,
    clock,
    tokenState,
    isAllowedOrigin: (origin) => deps.isAllowedOrigin(origin),
  });
}

/** Creates the domain and adds its routes. */
export function registerDevices(app: HttpServer, deps: DevicesDeps): Devices {
  const { config, database, clock } = deps;
  const longestGrant_ms = (config.REFRESH_TOKEN_MAX_TTL + config.LOGIN_TOKEN_TTL) * 1000;
  const context = createDevicesContext(app, deps);
  const { presence, connections, registry } = context;
  registerRoutes(app, deps, context, longestGrant_ms);
  registerConnectionMetrics(deps.metrics, connections);
  const lastHeard: LastHeard = (id) => presence.lastHeard(id);
  const readRules = () => ({
    now: clock.now(),
    heartbeatInterval_s: config.HEARTBEAT_INTERVAL,
  });
  return {
    async listOf(userId) {
      const rows = await listDeviceRows(database, userId, false);
      const rules = readRules();
      return rows.map((row) => toDevice(row, rules, lastHeard));
    },
    find: (filter, page) => findDevices(database, filter, page, { ...readRules(), lastHeard }),
    jobs: [
      {
        name: 'delete-expired-leases',
        every_ms: CLEAN_INTERVAL_MS,
        run: () => deleteExpiredLeases(database, clock, offlineAfter_ms(config.HEARTBEAT_INTERVAL)),
      },
    ],
    async start() {
      presence.start();
      connections.start();
      await registry.start();
    },
    async stop() {
      await presence.stop();
      await registry.stop();
    },
  };
}
