/** Mail by outbox: written in the transaction that causes it, sent by a job, tried again with backoff. */
import nodemailer from 'nodemailer';
import { type Database, type Db, type Transaction, transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';

export interface Message {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

const BATCH = 20;
const ATTEMPTS_MAX = 8;
const BACKOFF_BASE_S = 5;

/** The insert that queues a mail, as SQL for a larger statement: `values` are recipient, subject, body and instant. */
export function queueMailSql(
  [to, subject, text, at]: readonly [string, string, string, string],
  from = '',
): string {
  return `insert into mail (recipient, subject, body, created_at, next_attempt_at) select ${to}, ${subject}, ${text}, ${at}, ${at} ${from}`;
}

/** Tells the sender, once per statement that has queued something. */
export const WAKE_SENDER = "pg_notify('mail', '')";

const QUEUE = `with queued as (${queueMailSql(['$1', '$2', '$3', '$4::timestamptz'])}) select ${WAKE_SENDER}`;

/** Queues a mail; it goes out after the commit, or not at all. */
export async function sendMail(
  tx: Transaction,
  clock: Clock,
  { to, subject, text }: Message,
): Promise<void> {
  await tx.prepared('send-mail', QUEUE, [to, subject, text, clock.now()]);
}

interface PendingMail {
  readonly id: number;
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
  readonly attempts: number;
}

/**
 * Sends what is due over SMTP. A mail is claimed before it is sent, so two nodes never send it twice; a process that
 * dies between sending and noting it sends that mail again.
 * @returns how many were sent
 */
export function createMailSender(
  database: Database,
  clock: Clock,
  smtpUrl: string,
  from: string,
): () => Promise<number> {
  const transport = nodemailer.createTransport(smtpUrl);
  async function sendOne(mail: PendingMail): Promise<boolean> {
    try {
      await transport.sendMail({
        from,
        to: mail.recipient,
        subject: mail.subject,
        text: mail.body,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      // The body holds a code: once sent it is of no more use to anybody.
      await database.query("update mail set sent_at = $2, body = '' where id = $1", [
        mail.id,
        clock.now(),
      ]);
      return true;
    } catch (error) {
      await database.query('update mail set last_error = $2 where id = $1', [
        mail.id,
        error instanceof Error ? error.message.slice(0, 500) : 'unknown',
      ]);
      return false;
    }
  }
  return async () => {
    const now = clock.now();
    const claimed = await transaction(database, async (tx) => {
      const { rows } = await tx.query<PendingMail>(
        'select id, recipient, subject, body, attempts from mail where sent_at is null and next_attempt_at <= $1 and attempts < $2 order by id limit $3 for update skip locked',
        [now, ATTEMPTS_MAX, BATCH],
      );
      for (const { id, attempts } of rows) {
        const retryAt = new Date(now.getTime() + BACKOFF_BASE_S * 2 ** attempts * 1000);
        await tx.query(
          'update mail set attempts = attempts + 1, next_attempt_at = $2 where id = $1',
          [id, retryAt],
        );
      }
      return rows;
    });
    const sent = await Promise.all(claimed.map(sendOne));
    return sent.filter(Boolean).length;
  };
}

const KEPT_MS = 30 * 86_400_000;
const DELETED_AT_ONCE = 1000;

/** Forgets mails of long ago, sent or not, oldest first and a bounded number at a time. Returns how many. */
export async function deleteOldMails(db: Db, clock: Clock): Promise<number> {
  const { rowCount } = await db.query(
    'delete from mail where id in (select id from (select id, created_at from mail order by id limit $1) as oldest where created_at < $2)',
    [DELETED_AT_ONCE, new Date(clock.now().getTime() - KEPT_MS)],
  );
  return rowCount;
}
