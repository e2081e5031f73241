/**
 * Mail outbox: a mail is written in the transaction that causes it, sent by a job, and retried with
 * backoff.
 */
import nodemailer from 'nodemailer';
import {
  announce,
  type Database,
  type Db,
  defineStatement,
  execute,
  type RetentionRule,
  type Transaction,
} from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';

export interface Message {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

const CLAIM_COUNT = 20;
const ATTEMPTS_MAX = 8;
const BACKOFF_BASE_S = 5;
const ERROR_LENGTH_MAX = 500;

/** Queues one mail, for a larger statement that adds a `from` and a condition; see `mailValues`. */
export const QUEUE_MAIL = `insert into mail (recipient, subject, body, created_at, next_attempt_at)
   select :mail_to::text, :mail_subject::text, :mail_text::text, :mail_at::timestamptz,
     :mail_at::timestamptz`;

/** Announced when a mail was queued. */
export const MAIL_QUEUED = 'mail';

/** Wakes the job that sends, after a statement that queued a mail. */
export function wakeMailSender(db: Db): void {
  announce(db, MAIL_QUEUED);
}

/** The values of `QUEUE_MAIL`; null without a message. */
export function mailValues(
  clock: Clock,
  message: Message | undefined,
): Readonly<Record<string, unknown>> {
  return {
    mail_to: message?.to ?? null,
    mail_subject: message?.subject ?? null,
    mail_text: message?.text ?? null,
    mail_at: clock.now(),
  };
}

const SEND_MAIL = defineStatement('mail-send', QUEUE_MAIL);

/** Queues a mail; it is sent after the commit. */
export async function sendMail(tx: Transaction, clock: Clock, message: Message): Promise<void> {
  await execute(tx, SEND_MAIL, mailValues(clock, message));
  wakeMailSender(tx);
}

interface PendingMail {
  readonly id: number;
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
}

const CLAIM_MAILS = defineStatement(
  'mail-claim',
  `with due as (
     select id from mail
     where sent_at is null and next_attempt_at <= :now::timestamptz and attempts < :attempts_max
     order by id limit :claim_count for update skip locked)
   update mail set attempts = attempts + 1,
     next_attempt_at = :now::timestamptz + make_interval(secs => :backoff_s * 2 ^ attempts)
   from due where mail.id = due.id
   returning mail.id, recipient, subject, body`,
);

/** The body contains a code, which is of no use once it is sent. */
const RECORD_SENT = defineStatement(
  'mail-record-sent',
  "update mail set sent_at = :now, body = '' where id = :id",
);

const RECORD_ERROR = defineStatement(
  'mail-record-error',
  'update mail set last_error = :error where id = :id',
);

/**
 * Sends due mails over SMTP. A mail is claimed before it is sent, so that two instances never send
 * it twice; after a crash between sending and recording it is sent again.
 * @returns the number of sent mails
 */
export function createMailSender(
  database: Database,
  clock: Clock,
  smtpUrl: string,
  from: string,
): () => Promise<number> {
  const transport = nodemailer.createTransport(smtpUrl);
  async function sendOne({ id, recipient, subject, body }: PendingMail): Promise<boolean> {
    try {
      await transport.sendMail({
        from,
        to: recipient,
        subject,
        text: body,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      await execute(database, RECORD_SENT, { id, now: clock.now() });
      return true;
    } catch (error) {
      const text = error instanceof Error ? error.message.slice(0, ERROR_LENGTH_MAX) : 'unknown';
      await execute(database, RECORD_ERROR, { id, error: text });
      return false;
    }
  }
  return async () => {
    const { rows } = await execute<PendingMail>(database, CLAIM_MAILS, {
      now: clock.now(),
      attempts_max: ATTEMPTS_MAX,
      claim_count: CLAIM_COUNT,
      backoff_s: BACKOFF_BASE_S,
    });
    const sent = await Promise.all(rows.map(sendOne));
    return sent.filter(Boolean).length;
  };
}

/** Mails are kept for thirty days, sent or not. */
export const MAIL_RETENTION: readonly RetentionRule[] = [
  {
    table: 'mail',
    reason: 'Operators see whether a mail was sent; the text is deleted when it is.',
    key: 'id',
    since: 'created_at',
    kept_s: 30 * 86_400,
    rowsPerDay: 2_000_000,
  },
];
