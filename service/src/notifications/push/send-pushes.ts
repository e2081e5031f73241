/**
 * Sends what waits to the push services of browsers: a browser is claimed for a minute, sent what
 * waits for it, and released. A process that dies in between sends again after the claim ran out,
 * under the same tag: the browser shows it once.
 */
import { encryptNotification } from '@block65/webcrypto-web-push';
import { type Database, defineStatement, execute } from '../../db/index.ts';
import { type Outgoing, OutgoingError, type OutgoingProblem } from '../../http/index.ts';
import { openOfUser } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Language } from '../../lib/language.ts';
import { nextAttemptAt } from '../../lib/target-queues.ts';
import { gatherPushes } from './gather-pushes.ts';
import type { PushOutcome } from './push-metrics.ts';
import type { PushTarget } from './subscriptions.ts';
import type { VapidKey } from './vapid-key.ts';
import { type PushedNotification, tagOf, ttlOf, urgencyOf, writePush } from './write-push.ts';

/** Longer than the messages of a claim take, each at most the 5 s of an outgoing request. */
const CLAIM_MS = 60_000;
/** Messages of one claim. */
const BATCH = 5;
/** Notifications of one claim. */
const WAITING_MAX = 1000;
/** Browsers that are served at the same time. */
const WORKERS = 16;
/** Claims of one run. */
const RUN_MAX = 10_000;
/** Waits after failures in a row, three days together; after one more the browser is dropped. */
export const BACKOFF_S: readonly number[] = [
  ...[60, 300, 1800, 3600, 7200, 14_400, 28_800, 43_200, 86_400, 86_400],
];
const RETRY_AFTER_MAX_S = 86_400;

export interface PushDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly outgoing: Pick<Outgoing, 'send'>;
  readonly vapidKey: VapidKey;
  /** What people know the network by. */
  readonly serviceName: () => string;
  /** Told what became of each message. */
  readonly onOutcome: (outcome: PushOutcome) => void;
}

const CLAIM = defineStatement(
  'push-claim',
  `update push_subscription set claimed_until = :claimed_until, due_at = null
   where id = (
     select id from push_subscription where coalesce(claimed_until, due_at) <= :now
     order by coalesce(claimed_until, due_at) limit 1 for update skip locked)
   returning id, user_id as "userId", endpoint_hash as "endpointHash", language,
     target_sealed as "targetSealed", failures`,
);
const READ_WAITING = defineStatement(
  'push-waiting',
  `select n.id, n.kind, n.code, n.details, n.created_at
   from push_message m join notification n on n.id = m.notification_id
   where m.subscription_id = :id order by n.id limit ${WAITING_MAX}`,
);
const DONE = defineStatement(
  'push-done',
  `delete from push_message
   where subscription_id = :id and notification_id = any (:notification_ids::bigint[])`,
);
// What was planned meanwhile stays planned, unless the browser has to wait.
const RELEASE = defineStatement(
  'push-release',
  `update push_subscription set claimed_until = null, failures = :failures,
     sent_at = coalesce(:sent_at, sent_at), due_at = coalesce(:due_at, due_at)
   where id = :id and claimed_until = :claimed_until`,
);
// An address that was renewed meanwhile is another one.
const DROP = defineStatement(
  'push-drop',
  'delete from push_subscription where id = :id and endpoint_hash = :endpoint_hash',
);

interface Claimed {
  readonly id: number;
  readonly userId: number;
  readonly endpointHash: Buffer;
  readonly language: Language;
  readonly targetSealed: Buffer;
  readonly failures: number;
}

/** What became of a message. `refused`: it will never be taken. `failed`: it may be later. */
type Outcome =
  | { readonly kind: 'taken' | 'gone' | 'refused' }
  | { readonly kind: 'failed'; readonly after_s?: number };

/** Requests that will never be made, or answered otherwise. */
const FINAL: ReadonlySet<OutgoingProblem> = new Set([
  ...(['malformed_url', 'not_https', 'address_refused', 'redirected'] as const),
]);

/** `Retry-After` in seconds or as a date, a day at most; undefined when it says neither. */
function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const after_s = /^\d{1,9}$/.test(header)
    ? Number(header)
    : Math.ceil((Date.parse(header) - now.getTime()) / 1000);
  return after_s > 0 ? Math.min(after_s, RETRY_AFTER_MAX_S) : undefined;
}

async function markDone(
  database: Database,
  id: number,
  told: readonly PushedNotification[],
): Promise<void> {
  await execute(database, DONE, { id, notification_ids: told.map((one) => one.id) });
}

/** By the statuses of RFC 8030. */
function judge(status: number, retryAfter: string | undefined, now: Date): Outcome {
  if (status >= 200 && status < 300) return { kind: 'taken' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  if (status < 500 && status !== 429 && status !== 408) return { kind: 'refused' };
  const after_s = readRetryAfter(retryAfter, now);
  return { kind: 'failed', ...(after_s !== undefined && { after_s }) };
}

async function post(
  { clock, outgoing, vapidKey, serviceName }: PushDeps,
  { endpoint, keys }: PushTarget,
  language: Language,
  told: readonly PushedNotification[],
): Promise<Outcome> {
  const now = clock.now();
  const text = writePush(told, { language, serviceName: serviceName() });
  const body = await encryptNotification({ endpoint, expirationTime: null, keys }, text, {
    // `writePush` has filled it up: some push services take less than RFC 8291 allows.
    pad: false,
  });
  const headers = {
    authorization: await vapidKey.authorize(endpoint, now),
    ttl: String(ttlOf(told, now)),
    urgency: urgencyOf(told),
    topic: tagOf(told),
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
  };
  try {
    const answer = await outgoing.send({ method: 'POST', url: endpoint, headers, body });
    return judge(answer.status, answer.headers['retry-after'], now);
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    return { kind: FINAL.has(error.problem) ? 'refused' : 'failed' };
  }
}

/** @returns undefined after the last wait */
function retryAt(outcome: Outcome, failures: number, now: Date): Date | undefined {
  const wait_s = BACKOFF_S[failures];
  if (wait_s === undefined) return undefined;
  const own = nextAttemptAt(now, wait_s);
  const asked_s = outcome.kind === 'failed' ? (outcome.after_s ?? 0) : 0;
  return new Date(Math.max(own.getTime(), now.getTime() + asked_s * 1000));
}

/** In the words of the metrics. */
function nameOf({ kind }: Outcome, isTriedAgain: boolean): PushOutcome {
  if (kind === 'failed') return isTriedAgain ? 'retried' : 'given_up';
  return kind === 'taken' ? 'delivered' : kind;
}

interface Release {
  readonly failures: number;
  readonly sent_at: Date | null;
  /** Null: as planned meanwhile. */
  readonly due_at: Date | null;
}

interface Waiting {
  /** The notifications of each message. */
  readonly pushes: readonly (readonly PushedNotification[])[];
  readonly hasMore: boolean;
}

/** What waits for a browser, without what is no news any more: that is dropped. */
async function readWaiting(
  { database, clock, onOutcome }: PushDeps,
  { id }: Claimed,
): Promise<Waiting> {
  const { rows } = await execute<PushedNotification>(database, READ_WAITING, { id });
  const now = clock.now();
  const late = rows.filter((one) => ttlOf([one], now) === 0);
  if (late.length > 0) await markDone(database, id, late);
  for (const _ of late) onOutcome('late');
  const pushes = gatherPushes(rows.filter((one) => ttlOf([one], now) > 0));
  const hasMore = pushes.length > BATCH || rows.length === WAITING_MAX;
  return { pushes: pushes.slice(0, BATCH), hasMore };
}

/** @returns undefined when the browser gets nothing any more */
async function sendWaiting(
  deps: PushDeps,
  claimed: Claimed,
  signal: AbortSignal | undefined,
): Promise<Release | undefined> {
  const { database, clock } = deps;
  const { id, userId, language } = claimed;
  const [target] = await openOfUser<PushTarget>(database, userId, [claimed.targetSealed]);
  if (!target) return undefined;
  const { pushes, hasMore } = await readWaiting(deps, claimed);
  let { failures } = claimed;
  let sent_at: Date | null = null;
  for (const push of pushes) {
    if (signal?.aborted) return { failures, sent_at, due_at: clock.now() };
    const outcome = await post(deps, target, language, push);
    if (outcome.kind !== 'gone' && outcome.kind !== 'failed') await markDone(database, id, push);
    const due_at = retryAt(outcome, failures, clock.now());
    deps.onOutcome(nameOf(outcome, due_at !== undefined));
    if (outcome.kind === 'gone') return undefined;
    if (outcome.kind === 'taken') [failures, sent_at] = [0, clock.now()];
    if (outcome.kind !== 'refused' && outcome.kind !== 'failed') continue;
    return due_at && { failures: failures + 1, sent_at, due_at };
  }
  return { failures, sent_at, due_at: hasMore ? clock.now() : null };
}

/** @returns false when nothing is due */
async function sendNext(deps: PushDeps, signal: AbortSignal | undefined): Promise<boolean> {
  const { database, clock } = deps;
  const now = clock.now();
  const claimed_until = new Date(now.getTime() + CLAIM_MS);
  const { rows } = await execute<Claimed>(database, CLAIM, { now, claimed_until });
  const [claimed] = rows;
  if (!claimed) return false;
  const { id, endpointHash } = claimed;
  const release = await sendWaiting(deps, claimed, signal);
  if (release) await execute(database, RELEASE, { ...release, id, claimed_until });
  else await execute(database, DROP, { id, endpoint_hash: endpointHash });
  return true;
}

/** Sends all that is due. Any number of instances may run it. */
export async function sendPushes(deps: PushDeps, signal?: AbortSignal): Promise<void> {
  let left = RUN_MAX;
  const work = async (): Promise<void> => {
    let hasMore = true;
    while (hasMore && left-- > 0 && !signal?.aborted) hasMore = await sendNext(deps, signal);
  };
  if (await sendNext(deps, signal)) await Promise.all(Array.from({ length: WORKERS }, work));
}
