/** Devices: registry, presence, live connections, traffic. */
import type { Config } from '../config.ts';
import type { Database } from '../db/index.ts';
import type { HttpServer, Metrics } from '../http/index.ts';
import { bindToken, revoke, type TokenState } from '../identity/index.ts';
import type { Job } from '../jobs/index.ts';
import type { Clock } from '../lib/clock.ts';
import { createConnectLimits, describeLimit } from './connect-limits.ts';
import { registerConnectRoutes } from './connect-routes.ts';
import { deleteOldTickets } from './connect-ticket.ts';
import { createConnectionRegistry, forgetDeadNodes } from './connection-registry.ts';
import { deleteOldBindings, type TokenFeed } from './device-tokens.ts';
import { createCallingDevices } from './find-calling-device.ts';
import { createBeatLimit } from './heartbeat-rate-limit.ts';
import { createDeviceList } from './list-devices.ts';
import { createLiveConnections, type LiveConnections } from './live-connections.ts';
import { createPresence } from './presence.ts';
import type { FindGrantedCategories } from './register-device.ts';
import { registerRefusedRoutes } from './rejected-report-routes.ts';
import { authorisedAt, type FindGrantTime } from './resolve-grant-time.ts';
import { registerDeviceRoutes } from './routes.ts';
import { registerUsageRoutes } from './usage-routes.ts';

export { type DeviceHour, type HoursQuery, readDeviceHours } from './read-usage.ts';
export {
  type MalformedReport,
  type RecordTrafficDeps,
  recordTraffic,
  type TrafficResult,
} from './record-traffic.ts';
export type { FindGrantTime } from './resolve-grant-time.ts';
export { DEVICE_FAULTS, REPORT_ID_MAX, type TrafficReport } from './traffic-report.ts';

export interface DevicesDeps {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly tokenState: Pick<TokenState, 'catchUp' | 'check' | 'known' | 'onRevoked'>;
  readonly findGrantTime: FindGrantTime;
  readonly findGrantedCategories: FindGrantedCategories;
  readonly metrics: Metrics;
  /** True for pages that may open live connections. */
  isAllowedOrigin(origin: string): boolean | Promise<boolean>;
}

export interface Devices {
  readonly jobs: readonly Job[];
  start(): Promise<void>;
  stop(): Promise<void>;
}

const CLEAN_EVERY_MS = 600_000;

/** Shows at `/metrics` how many devices this process holds, and why it let others go. */
function registerConnectionMetrics(metrics: Metrics, connections: LiveConnections): void {
  metrics.gauge(
    'edge_account_live_connections',
    'Live connections of devices.',
    'state',
    async () => ({ open: connections.figures().open }),
  );
  metrics.gauge(
    'edge_account_live_connections_closed',
    'Live connections that the service closed.',
    'why',
    async () => connections.figures().closed,
  );
}

/** Makes the domain and adds its routes. */
export function registerDevices(app: HttpServer, deps: DevicesDeps): Devices {
  const { config, database, clock, tokenState } = deps;
  const heartbeatInterval_s = config.HEARTBEAT_INTERVAL;
  const longestGrant_ms = (config.REFRESH_TOKEN_MAX_TTL + config.LOGIN_TOKEN_TTL) * 1000;
  const feed: TokenFeed = {
    bindToken,
    revoke,
    longestGrant_ms,
    authorisedAt: (db, principal) => authorisedAt(db, principal, deps.findGrantTime),
  };
  const presence = createPresence({
    database,
    clock,
    heartbeatInterval_s,
    onError: (error) => app.log.error({ err: error }, 'presence was not written'),
  });
  const calling = createCallingDevices(database);
  const connections = createLiveConnections({
    clock,
    presence,
    heartbeatInterval_s,
    messagesPerSecond: config.MESSAGES_PER_SECOND,
  });
  const list = createDeviceList({
    database,
    clock,
    heartbeatInterval_s,
    heardLately: presence.heardLately,
  });
  const connectionLimits = {
    user: config.CONNECTIONS_PER_USER,
    address: config.CONNECTIONS_PER_ADDRESS,
  };
  const registry = createConnectionRegistry({
    database,
    clock,
    onTaken: connections.replace,
    onExcess: (deviceId, kind) =>
      connections.exceed(deviceId, describeLimit(kind, connectionLimits[kind])),
    limits: { perUser: connectionLimits.user, perAddress: connectionLimits.address },
    onError: (error) =>
      app.log.warn({ err: error }, 'live connections were not shared with other nodes'),
  });
  const limits = createConnectLimits({
    clock,
    connectsPerSecond: config.CONNECTS_PER_SECOND,
    perUser: connectionLimits.user,
    perAddress: connectionLimits.address,
  });
  registerDeviceRoutes(app, {
    database,
    clock,
    feed,
    presence,
    calling,
    takeBeat: createBeatLimit({
      clock,
      heartbeatInterval_s,
      messagesPerSecond: config.MESSAGES_PER_SECOND,
    }),
    list,
    heartbeatInterval_s,
    limits: { perUser: config.DEVICES_PER_USER, perAddress: config.DEVICES_PER_ADDRESS },
    findGrantedCategories: deps.findGrantedCategories,
    newDevices: { name: 'device-register', hits: config.REGISTRATIONS_PER_HOUR, window_s: 3600 },
    // Committed already: if it cannot be read now, the feed brings it within a second.
    catchUp: () =>
      tokenState
        .catchUp()
        .catch((error: unknown) =>
          app.log.warn({ err: error }, 'the token feed could not be read'),
        ),
  });
  registerUsageRoutes(app, { database, clock });
  registerRefusedRoutes(app, { database });
  registerConnectionMetrics(deps.metrics, connections);
  registerConnectRoutes(app, {
    database,
    clock,
    calling,
    connections,
    limits,
    registry,
    list,
    tokenState,
    isAllowedOrigin: deps.isAllowedOrigin,
  });
  return {
    jobs: [
      {
        name: 'delete-old-bindings',
        every_ms: CLEAN_EVERY_MS,
        run: () => deleteOldBindings(database, clock, longestGrant_ms),
      },
      {
        name: 'forget-dead-nodes',
        every_ms: CLEAN_EVERY_MS,
        run: () => forgetDeadNodes(database, clock),
      },
      {
        name: 'delete-old-tickets',
        every_ms: CLEAN_EVERY_MS,
        run: () => deleteOldTickets(database, clock),
      },
    ],
    async start() {
      presence.start();
      connections.start();
      await registry.start();
    },
    async stop() {
      await registry.stop();
      await presence.stop();
    },
  };
}
