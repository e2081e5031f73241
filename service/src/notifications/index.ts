/** The door of notifications. */
import { EVENTS_CHANNEL } from '../events/index.ts';
import type { HttpServer } from '../http/index.ts';
import type { Job } from '../jobs/index.ts';
import { followEvents } from './follow-events.ts';
import { registerRoutes } from './routes.ts';
import { type TellDayDeps, tellDay } from './tell-day.ts';
import { watchDevices } from './watch-devices.ts';

export { NOTIFICATIONS_RETENTION } from './retention.ts';

const FOLLOW_EVERY_MS = 10_000;
const WATCH_EVERY_MS = 30_000;
const TELL_EVERY_MS = 60_000;

export type NotificationsDeps = TellDayDeps;

/** Registers the routes. @returns the jobs that make notifications */
export function registerNotifications(app: HttpServer, deps: NotificationsDeps): Job[] {
  const { database, clock } = deps;
  registerRoutes(app, deps);
  // Each step locks how far its job has come, so instances share the work.
  return [
    {
      name: 'follow-events',
      every_ms: FOLLOW_EVERY_MS,
      isExclusive: false,
      wakeOn: [EVENTS_CHANNEL],
      run: (signal) => followEvents(database, clock, signal),
    },
    {
      name: 'watch-devices',
      every_ms: WATCH_EVERY_MS,
      isExclusive: false,
      run: (signal) => watchDevices(database, clock, signal),
    },
    {
      name: 'tell-day',
      every_ms: TELL_EVERY_MS,
      isExclusive: false,
      run: (signal) => tellDay(deps, signal),
    },
  ];
}
