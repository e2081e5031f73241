/**
 * Sends deliveries: claimed for a minute, sent, noted. A process that dies in between sends again after the claim
 * ran out, under the same id; a receiver that keeps ids sees each message once.
 */
import type { Database } from '../../db/index.ts';
import { type Outgoing, OutgoingError } from '../../http/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { MasterKey } from '../../master-key.ts';
import { DELIVERY_ERRORS } from './delivery-errors.ts';
import { openSecret, signMessage } from './secrets.ts';

/** Waits between attempts, as Standard Webhooks suggests: ten attempts within about three days. */
const BACKOFF_S: readonly number[] = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
const CLAIM_S = 60;
/** Messages of one webhook under way at once; a slow one holds up nobody else. */
const AT_ONCE = 10;

interface Claimed {
  readonly id: number;
  readonly body: string;
  readonly attempts: number;
  /** Those before it was last queued. */
  readonly attempts_before: number;
}

interface Target {
  readonly id: number;
  readonly url: string;
  readonly secret: Buffer;
  readonly previous_secret: Buffer | null;
  readonly previous_until: Date | null;
}

export interface SenderDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly masterKey: MasterKey;
  readonly outgoing: Outgoing;
  readonly onError: (error: unknown) => void;
}

export interface WebhookSender {
  /** Starts sending what is due, and resolves when that much is done. */
  sendDue(): Promise<void>;
  /** Like `sendDue`, in the background: webhooks already busy go on by themselves. */
  kick(): Promise<void>;
  /** Waits for messages under way. */
  stop(): Promise<void>;
}

const DUE = `select w.id, w.url, w.secret, w.previous_secret, w.previous_until from webhook w
  where w.is_active and exists (select from webhook_delivery d where d.webhook_id = w.id and d.state = 'pending' and d.next_attempt_at <= $1)`;
const CLAIM = `update webhook_delivery set attempts = attempts + 1, next_attempt_at = $2::timestamptz + make_interval(secs => ${CLAIM_S})
  where id in (select id from webhook_delivery where webhook_id = $1 and state = 'pending' and next_attempt_at <= $2
    order by next_attempt_at, id limit ${AT_ONCE} for update skip locked)
  returning id, body, attempts, attempts_before`;
const NOTE = `update webhook_delivery set state = $2, last_status = $3, last_error = $4, next_attempt_at = $5, delivered_at = case when $2 = 'delivered' then $6::timestamptz end
  where id = $1 and state = 'pending'`;

interface Outcome {
  readonly status: number | null;
  readonly error: string | null;
}

async function post(
  { outgoing, clock, masterKey }: SenderDeps,
  target: Target,
  message: Claimed,
): Promise<Outcome> {
  const now = clock.now();
  const id = `msg_${message.id}`;
  const timestamp_s = Math.floor(now.getTime() / 1000);
  const old =
    target.previous_secret && target.previous_until && target.previous_until > now
      ? [target.previous_secret]
      : [];
  const secrets = [target.secret, ...old].map((sealed) => openSecret(masterKey, sealed));
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp_s),
    'webhook-signature': signMessage(secrets, id, timestamp_s, message.body),
  };
  try {
    const { status } = await outgoing.send({
      method: 'POST',
      url: target.url,
      headers,
      body: message.body,
    });
    return {
      status,
      error: status >= 200 && status < 300 ? null : DELIVERY_ERRORS.say('answered', { status }),
    };
  } catch (error) {
    if (error instanceof OutgoingError)
      return { status: null, error: `${error.problem}: ${error.message}` };
    throw error;
  }
}

async function note(
  { database, clock }: SenderDeps,
  target: Target,
  message: Claimed,
  { status, error }: Outcome,
): Promise<void> {
  const now = clock.now();
  const wait_s = BACKOFF_S[message.attempts - message.attempts_before - 1];
  const isDead = error !== null && (wait_s === undefined || status === 410);
  const state = error === null ? 'delivered' : isDead ? 'dead' : 'pending';
  // A fifth more or less, so that messages which failed together do not come back together.
  const next = new Date(now.getTime() + (wait_s ?? 0) * 1000 * (0.8 + Math.random() * 0.4));
  await database.query(NOTE, [message.id, state, status, error, next, now]);
  // 410 Gone is the receiver's word that it wants no more.
  if (status === 410)
    await database.query(
      "update webhook set is_active = false, disabled_reason = 'answered 410 Gone' where id = $1",
      [target.id],
    );
}

export function createWebhookSender(deps: SenderDeps): WebhookSender {
  const { database, clock, onError } = deps;
  const busy = new Map<number, Promise<void>>();
  let isStopped = false;

  async function serve(target: Target): Promise<void> {
    while (!isStopped) {
      const { rows } = await database.query<Claimed>(CLAIM, [target.id, clock.now()]);
      await Promise.all(
        rows.map(async (message) => note(deps, target, message, await post(deps, target, message))),
      );
      if (rows.length < AT_ONCE) return;
    }
  }

  async function kick(): Promise<void> {
    if (isStopped) return;
    const { rows } = await database.query<Target>(DUE, [clock.now()]);
    for (const target of rows.filter(({ id }) => !busy.has(id))) {
      const work = serve(target)
        .catch(onError)
        .finally(() => busy.delete(target.id));
      busy.set(target.id, work);
    }
  }

  return {
    kick,
    async sendDue() {
      await kick();
      await Promise.all(busy.values());
    },
    async stop() {
      isStopped = true;
      await Promise.all(busy.values());
    },
  };
}

const DELIVERED_KEPT_DAYS = 7;
const DEAD_KEPT_DAYS = 30;

/** Delivered messages are kept as long as events, dead letters for thirty days. */
export async function deleteOldDeliveries(database: Database, clock: Clock): Promise<void> {
  await database.query(
    `delete from webhook_delivery where created_at < $1::timestamptz - make_interval(days => $2)
      and (state = 'delivered' or created_at < $1::timestamptz - make_interval(days => $3))`,
    [clock.now(), DELIVERED_KEPT_DAYS, DEAD_KEPT_DAYS],
  );
}
