/** Devices: registry, presence, live connections, traffic. */
import type { Config } from '../config.ts';
import type { Database } from '../db/index.ts';
import type { HttpServer } from '../http/index.ts';
import { bindToken, revoke } from '../identity/index.ts';
import type { Job } from '../jobs/index.ts';
import type { Clock } from '../lib/clock.ts';
import { authorisedAt, type FindGrantTime } from './authorised-at.ts';
import { deleteOldBindings, type TokenFeed } from './device-tokens.ts';
import { createPresence } from './presence.ts';
import { registerDeviceRoutes } from './routes.ts';
import { registerUsageRoutes } from './usage-routes.ts';

export type { FindGrantTime } from './authorised-at.ts';
export { countDevices, isOnline, trafficOf } from './queries.ts';
export { type DeviceHour, type DeviceTrait, type HoursQuery, readDeviceHours, readDeviceTraits, uptimeOf } from './read-usage.ts';
export { type RecordTrafficDeps, recordTraffic, type TrafficResult } from './record-traffic.ts';
export type { TrafficReport } from './traffic-report.ts';

export interface DevicesDeps {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly findGrantTime: FindGrantTime;
}

export interface Devices {
  readonly jobs: readonly Job[];
  start(): void;
  stop(): Promise<void>;
}

const CLEAN_EVERY_MS = 600_000;

/** Makes the domain and adds its routes. */
export function registerDevices(app: HttpServer, { config, database, clock, findGrantTime }: DevicesDeps): Devices {
  const feed: TokenFeed = { bindToken, revoke, authorisedAt: (db, principal) => authorisedAt(db, principal, findGrantTime) };
  const heartbeatInterval_s = config.HEARTBEAT_INTERVAL;
  const presence = createPresence({ database, clock, heartbeatInterval_s, onError: (error) => app.log.error({ err: error }, 'presence was not written') });
  registerDeviceRoutes(app, {
    database,
    clock,
    feed,
    presence,
    heartbeatInterval_s,
    limits: { perUser: config.DEVICES_PER_USER, perAddress: config.DEVICES_PER_ADDRESS },
    registrationsPerHour: config.REGISTRATIONS_PER_HOUR,
  });
  registerUsageRoutes(app, { database, clock });
  return {
    jobs: [{ name: 'delete-old-bindings', every_ms: CLEAN_EVERY_MS, run: () => deleteOldBindings(database, clock) }],
    start: presence.start,
    stop: presence.stop,
  };
}
