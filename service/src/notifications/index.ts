/** The door of notifications. */
import { EVENTS_CHANNEL } from '../events/index.ts';
import type { HttpServer } from '../http/index.ts';
import type { Job } from '../jobs/index.ts';
import { followEvents } from './follow-events.ts';
import { registerWebPush, type WebPushDeps } from './push/index.ts';
import { registerRoutes } from './routes.ts';
import { sendDigests } from './send-digests.ts';
import { type TellDayDeps, tellDay } from './tell-day.ts';
import { createUnsubscribeTokens } from './unsubscribe.ts';
import { registerUnsubscribe, type UnsubscribeRoutes } from './unsubscribe-routes.ts';
import { watchDevices } from './watch-devices.ts';

export { measurePushes } from './push/index.ts';
export { NOTIFICATIONS_RETENTION } from './retention.ts';

const FOLLOW_EVERY_MS = 10_000;
const WATCH_EVERY_MS = 30_000;
const TELL_EVERY_MS = 60_000;
const SEND_EVERY_MS = 20_000;

export type NotificationsDeps = TellDayDeps & WebPushDeps & Pick<UnsubscribeRoutes, 'look'>;

/** Registers the routes. @returns the jobs that make notifications */
export function registerNotifications(app: HttpServer, deps: NotificationsDeps): Job[] {
  const { database, clock } = deps;
  registerRoutes(app, deps);
  const tokens = createUnsubscribeTokens(deps.masterKey);
  registerUnsubscribe(app, { database, clock, tokens, look: deps.look });
  const digests = { database, clock, tokens, baseUrl: deps.config.BASE_URL };
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
    {
      name: 'send-digests',
      every_ms: SEND_EVERY_MS,
      isExclusive: false,
      run: (signal) => sendDigests(digests, signal),
    },
    registerWebPush(app, deps),
  ];
}
