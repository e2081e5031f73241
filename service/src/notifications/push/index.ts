/** Notifications by Web Push: the part of the domain that knows browsers and push services. */

import type { HttpServer, Metrics, Outgoing } from '../../http/index.ts';
import type { Job } from '../../jobs/index.ts';
import type { MasterKey } from '../../master-key.ts';
import { registerPushMetrics } from './push-metrics.ts';
import { registerPushRoutes } from './routes.ts';
import { type PushDeps, sendPushes } from './send-pushes.ts';
import { createRenewalTokens } from './subscriptions.ts';
import { createVapidKey, type VapidSettings } from './vapid-key.ts';

export { dropQueued, planPushes } from './plan-pushes.ts';
export { measurePushes } from './push-metrics.ts';

const SEND_EVERY_MS = 5000;

export interface WebPushDeps extends Pick<PushDeps, 'database' | 'clock' | 'serviceName'> {
  readonly masterKey: Pick<MasterKey, 'derive'>;
  readonly outgoing: Outgoing;
  readonly metrics: Metrics;
  readonly config: VapidSettings;
}

/** Registers the routes and the metrics. @returns the job that sends */
export function registerWebPush(app: HttpServer, deps: WebPushDeps): Job {
  const vapidKey = createVapidKey(deps.masterKey, deps.config);
  registerPushRoutes(app, { ...deps, vapidKey, tokens: createRenewalTokens(deps.masterKey) });
  const onOutcome = registerPushMetrics(deps.metrics, deps.database, deps.clock);
  const sending = { ...deps, vapidKey, onOutcome };
  return {
    name: 'send-pushes',
    every_ms: SEND_EVERY_MS,
    // A claim keeps instances apart.
    isExclusive: false,
    run: (signal) => sendPushes(sending, signal),
  };
}
