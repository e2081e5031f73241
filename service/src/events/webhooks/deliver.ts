/**
 * Sends deliveries: claimed for a minute, sent, noted. A process that dies in between sends again
 * after the claim ran out, under the same id; a receiver that keeps ids sees each message once.
 */
import {
  type Database,
  defineStatement,
  execute,
  queryNamed,
  type RetentionRule,
  runAsService,
  transaction,
} from '../../db/index.ts';
import { type Outgoing, OutgoingError } from '../../http/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { type CodedMessage, toColumns } from '../../lib/coded-messages.ts';
import { nextAttemptAt, TargetQueues } from '../../lib/target-queues.ts';
import type { MasterKey } from '../../master-key.ts';
import { DELIVERY_ERRORS, toDeliveryError } from './delivery-errors.ts';
import { openSecret, signMessage } from './secrets.ts';

/** Waits between attempts, as Standard Webhooks suggests: ten attempts within about three days. */
const BACKOFF_S: readonly number[] = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
const CLAIM_S = 60;
/** Messages of one webhook that are sent at the same time. */
const CONCURRENCY = 10;

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
  /** Like `sendDue`, in the background: webhooks already busy continue by themselves. */
  kick(): Promise<void>;
  /** Waits for messages under way. */
  stop(): Promise<void>;
}

const FIND_DUE_WEBHOOKS = defineStatement(
  'webhooks-find-due',
  `select w.id, w.url, w.secret, w.previous_secret, w.previous_until from webhook w
   where w.is_active and exists (
     select from webhook_delivery d
     where d.webhook_id = w.id and d.state = 'pending' and d.next_attempt_at <= :now)`,
);
const CLAIM_DELIVERIES = defineStatement(
  'webhook-deliveries-claim',
  `update webhook_delivery set attempts = attempts + 1, next_attempt_at = :claimed_until
   where id in (
     select id from webhook_delivery
     where webhook_id = :webhook_id and state = 'pending' and next_attempt_at <= :now
       and exists (select from webhook where id = :webhook_id and is_active)
     order by next_attempt_at, id limit ${CONCURRENCY} for update skip locked)
   returning id, body, attempts, attempts_before`,
);
const NOTE_DELIVERY = defineStatement(
  'webhook_delivery_note',
  `update webhook_delivery set state = :state, last_status = :status,
      last_error_code = :error_code, last_error_values = :error_values, next_attempt_at = :next,
      delivered_at = case when :state = 'delivered' then :now::timestamptz end
    where id = :id and state = 'pending'`,
);
const DISABLE_WEBHOOK = `update webhook
  set is_active = false, disabled_reason_code = :disabled_reason_code,
    disabled_reason_values = :disabled_reason_values
  where id = :target_id`;
/** Answers with this status come from receivers that want no more messages. */
const GONE = 410;
const GONE_REASON = DELIVERY_ERRORS.create('answered', { status: '410 Gone' });

interface Outcome {
  readonly status: number | null;
  readonly error: CodedMessage | undefined;
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
    const isTaken = status >= 200 && status < 300;
    return { status, error: isTaken ? undefined : DELIVERY_ERRORS.create('answered', { status }) };
  } catch (error) {
    if (error instanceof OutgoingError) return { status: null, error: toDeliveryError(error) };
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
  const isDead = wait_s === undefined || status === GONE;
  const state = error === undefined ? 'delivered' : isDead ? 'dead' : 'pending';
  const next = nextAttemptAt(now, wait_s ?? 0);
  const { code: error_code, values: error_values } = toColumns(error);
  const { id } = message;
  await execute(database, NOTE_DELIVERY, {
    id,
    state,
    status,
    error_code,
    error_values,
    next,
    now,
  });
  if (status === GONE) {
    const { code, values } = toColumns(GONE_REASON);
    const change = {
      target_id: target.id,
      disabled_reason_code: code,
      disabled_reason_values: values,
    };
    await runAsService('webhooks', () =>
      transaction(database, (tx) => queryNamed(tx, DISABLE_WEBHOOK, change)),
    );
  }
}

export function createWebhookSender(deps: SenderDeps): WebhookSender {
  const { database, clock, onError } = deps;
  const queues = new TargetQueues<Target>({
    findDue: async () =>
      (await execute<Target>(database, FIND_DUE_WEBHOOKS, { now: clock.now() })).rows,
    keyOf: ({ id }) => id,
    async sendSome(target) {
      const now = clock.now();
      const { rows } = await execute<Claimed>(database, CLAIM_DELIVERIES, {
        webhook_id: target.id,
        now,
        claimed_until: new Date(now.getTime() + CLAIM_S * 1000),
      });
      await Promise.all(
        rows.map(async (message) => note(deps, target, message, await post(deps, target, message))),
      );
      return rows.length === CONCURRENCY;
    },
    onError,
  });
  return {
    kick: () => queues.kick(),
    async sendDue() {
      await queues.kick();
      await queues.settle();
    },
    stop: () => queues.stop(),
  };
}

const DAY_S = 86_400;

/** Delivered messages are kept as long as events, dead letters for thirty days. */
export const WEBHOOK_RETENTION: readonly RetentionRule[] = [
  {
    table: 'webhook_delivery',
    reason: 'Servers of the operator can be sent a message again.',
    since: 'created_at',
    kept_s: 7 * DAY_S,
    rowsPerDay: 24_000_000,
    where: "state = 'delivered'",
  },
  {
    table: 'webhook_delivery',
    reason: 'Servers of the operator can be sent a message again.',
    since: 'created_at',
    kept_s: 30 * DAY_S,
    rowsPerDay: 24_000_000,
  },
];
