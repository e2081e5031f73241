/** Writes mails into the outbox, in the transaction that causes them. */
import { announce, type Db, defineStatement, execute, type Transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { Language } from '../lib/language.ts';

export interface Message {
  readonly to: string;
  readonly subject: string;
  /** Plain text, without the name of the network, which is added when it is sent. */
  readonly text: string;
  /** Of the text; absent: it is sent as it is. */
  readonly language?: Language;
  /** What it is about; stays in the record of the mail. */
  readonly kind?: string;
  /** The user who has the address. */
  readonly userId?: number;
  /** Ends such mails by a POST alone (RFC 8058). */
  readonly unsubscribeUrl?: string;
  /** Seconds after which the mail is of no use, because its code has expired: it is dropped. */
  readonly validFor_s?: number;
}

/** Queues one mail, for a larger statement that adds a `from` and a condition; see `mailValues`. */
export const QUEUE_MAIL = `insert into mail (recipient, subject, body, kind, user_id, created_at,
     next_attempt_at, expires_at, language, unsubscribe_url)
   select :mail_to::text, :mail_subject::text, :mail_text::text, :mail_kind::text,
     :mail_user_id::bigint, :mail_at::timestamptz, :mail_at::timestamptz,
     :mail_expires_at::timestamptz, :mail_language::text, :mail_unsubscribe_url::text`;

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
  const now = clock.now();
  const validFor_s = message?.validFor_s;
  return {
    mail_to: message?.to ?? null,
    mail_subject: message?.subject ?? null,
    mail_text: message?.text ?? null,
    mail_kind: message?.kind ?? '',
    mail_user_id: message?.userId ?? null,
    mail_at: now,
    mail_language: message?.language ?? null,
    mail_unsubscribe_url: message?.unsubscribeUrl ?? null,
    mail_expires_at: validFor_s === undefined ? null : new Date(now.getTime() + validFor_s * 1000),
  };
}

const QUEUE = defineStatement('mail-send', QUEUE_MAIL);

/** Queues a mail; it is sent after the commit. */
export async function sendMail(tx: Transaction, clock: Clock, message: Message): Promise<void> {
  await execute(tx, QUEUE, mailValues(clock, message));
  wakeMailSender(tx);
}
