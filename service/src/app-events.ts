/** Part of the composition root: what happens, as streams and to webhooks. */
import type { AppContext } from './app-context.ts';
import {
  assignPositions,
  createWebhookRemoval,
  createWebhookSender,
  EVENTS_CHANNEL,
  EventHub,
  fanOut,
  registerEvents,
  type WebhookSender,
} from './events/index.ts';
import type { Job } from './jobs/index.ts';
import { POSTING_SOURCE, registerOperatorWebhooks } from './operator/index.ts';

const ASSIGN_EVERY_MS = 200;
const WEBHOOKS_EVERY_MS = 1000;

/** Registers event streams and webhooks. @returns with the jobs that feed them */
export function addEvents(context: AppContext): {
  hub: EventHub;
  webhooks: WebhookSender;
  jobs: Job[];
} {
  const { http, database, clock, tokenState, outgoing } = context;
  const hub = new EventHub({
    ...{ database, clock, postings: POSTING_SOURCE },
    getRevocationReason: (principal) => tokenState.known(principal),
    onError: context.report('event streams'),
  });
  tokenState.onRevoked(() => hub.closeRevokedStreams());
  registerEvents(http, { db: database, hub });
  registerOperatorWebhooks(http, database, { clock, masterKey: context.masterKey, outgoing });
  const webhooks = createWebhookSender({ ...context, onError: context.report('webhooks') });
  const send = (): Promise<void> =>
    fanOut(database, clock, POSTING_SOURCE).then(() => webhooks.kick());
  const jobs: Job[] = [
    {
      name: 'assign-positions',
      every_ms: ASSIGN_EVERY_MS,
      isExclusive: false,
      run: () => assignPositions(database, clock),
    },
    {
      name: 'webhooks',
      every_ms: WEBHOOKS_EVERY_MS,
      isExclusive: false,
      wakeOn: [EVENTS_CHANNEL],
      run: send,
    },
    createWebhookRemoval(database),
  ];
  return { hub, webhooks, jobs };
}
