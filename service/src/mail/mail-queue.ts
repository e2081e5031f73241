/** The outbox as its senders see it: what is due, and what became of it. */
import { type Db, defineStatement, execute, type RetentionRule } from '../db/index.ts';
import type { Metrics } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { COUNTED_MAX } from '../lib/counted-max.ts';
import type { Language } from '../lib/language.ts';

/** Mails for recipients whose server takes long are sent apart, so that the others do not wait. */
export type Lane = 'normal' | 'slow';

export interface ClaimedMail {
  readonly id: number;
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
  /** Null: the body is sent as it is. */
  readonly language: Language | null;
  /** Ends such mails (RFC 8058). */
  readonly unsubscribe_url: string | null;
  readonly attempts: number;
  readonly created_at: Date;
  /** Null for a mail without a code. */
  readonly expires_at: Date | null;
}

const CODE_BACKOFF_S = 5;
const BACKOFF_BASE_S = 5;
const BACKOFF_MAX_S = 600;
/** A mail without a code is tried for a day. */
const TRIED_FOR_MS = 86_400_000;
/** A sender that dies leaves its mails to others after this time; no attempt takes as long. */
const CLAIM_S: Readonly<Record<Lane, number>> = { normal: 60, slow: 1800 };
const ERROR_LENGTH_MAX = 500;
const DROP_BATCH = 1000;

/**
 * Codes first, the newest before the others: a user who asked again has the newest. Then the other
 * mails, the oldest first.
 */
const CLAIM_MAILS = defineStatement(
  'mail-claim',
  `with codes as (
     select id from mail
     where sent_at is null and expires_at is not null and is_slow = :is_slow
       and expires_at > :now::timestamptz and next_attempt_at <= :now::timestamptz
     order by id desc limit :count::int for update skip locked),
   others as (
     select id from mail
     where sent_at is null and expires_at is null and is_slow = :is_slow
       and next_attempt_at <= :now::timestamptz
     order by next_attempt_at limit :count::int - (select count(*) from codes)::int
     for update skip locked)
   update mail set attempts = attempts + 1,
     next_attempt_at = :now::timestamptz + make_interval(secs => :claim_s)
   where id in (select id from codes union all select id from others)
   returning id, recipient, subject, body, language, unsubscribe_url,
     attempts, created_at, expires_at`,
);

/** @returns the claimed mails; other senders leave them alone for a minute, or half an hour */
export async function claimMails(
  db: Db,
  clock: Clock,
  lane: Lane,
  count: number,
): Promise<readonly ClaimedMail[]> {
  const { rows } = await execute<ClaimedMail>(db, CLAIM_MAILS, {
    now: clock.now(),
    is_slow: lane === 'slow',
    claim_s: CLAIM_S[lane],
    count,
  });
  return rows;
}

/** What identifies is of no use once the mail is sent; its kind and its user stay. */
const RECORD_SENT = defineStatement(
  'mail-record-sent',
  `update mail set sent_at = :now, recipient = '', subject = '', body = '', unsubscribe_url = null,
     last_error = null
   where id = :id`,
);

export async function recordSent(db: Db, clock: Clock, { id }: ClaimedMail): Promise<void> {
  await execute(db, RECORD_SENT, { id, now: clock.now() });
}

const RECORD_FAILED = defineStatement(
  'mail-record-error',
  `update mail set last_error = :error, is_slow = is_slow or :is_slow::boolean,
     next_attempt_at = :next::timestamptz,
     recipient = case when :is_final::boolean then '' else recipient end,
     subject = case when :is_final::boolean then '' else subject end,
     body = case when :is_final::boolean then '' else body end,
     unsubscribe_url = case when :is_final::boolean then null else unsubscribe_url end
   where id = :id and sent_at is null and next_attempt_at < 'infinity'`,
);

export interface FailedAttempt {
  readonly error: string;
  /** The relay did not end in time: the next attempt is made apart. */
  readonly isSlow: boolean;
  /** The relay refused the mail for good. */
  readonly isFinal: boolean;
}

/** Undefined: it is not tried again. */
function nextAttempt(clock: Clock, mail: ClaimedMail, isFinal: boolean): Date | undefined {
  const now_ms = clock.now().getTime();
  if (isFinal) return undefined;
  if (mail.expires_at !== null) return new Date(now_ms + CODE_BACKOFF_S * 1000);
  if (now_ms - mail.created_at.getTime() > TRIED_FOR_MS) return undefined;
  const wait_s = Math.min(BACKOFF_BASE_S * 2 ** (mail.attempts - 1), BACKOFF_MAX_S);
  return new Date(now_ms + wait_s * 1000);
}

/** Relays repeat the address in their answers. */
function withoutRecipient(error: string, recipient: string): string {
  const address = recipient.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return error.replace(new RegExp(address, 'gi'), 'the recipient').slice(0, ERROR_LENGTH_MAX);
}

/** A mail that is not tried again keeps its kind, its user and the reason. */
export async function recordFailed(
  db: Db,
  clock: Clock,
  mail: ClaimedMail,
  { error, isSlow, isFinal }: FailedAttempt,
): Promise<void> {
  const next = nextAttempt(clock, mail, isFinal);
  await execute(db, RECORD_FAILED, {
    id: mail.id,
    error: withoutRecipient(error, mail.recipient),
    is_slow: isSlow,
    next: next ?? 'infinity',
    is_final: next === undefined,
  });
}

const DROP_EXPIRED = defineStatement(
  'mail-drop-expired',
  `delete from mail where id in (
     select id from mail
     where sent_at is null and expires_at is not null and expires_at <= :now::timestamptz
     order by id limit ${DROP_BATCH} for update skip locked)`,
);

/** Deletes all codes that have expired before they could be sent. @returns their number */
export async function dropExpiredMails(db: Db, clock: Clock): Promise<number> {
  let total = 0;
  for (;;) {
    const { rowCount } = await execute(db, DROP_EXPIRED, { now: clock.now() });
    total += rowCount;
    if (rowCount < DROP_BATCH) return total;
  }
}

// Mails that no relay took stay for a month, and may be millions: COUNTED_MAX bounds each count.
// Each part names the condition of a partial index: sent mails are many, and are not read. With
// both lanes named, the index of the others leads to those that wait, and to those that do not.
const CODES = 'from mail where sent_at is null and expires_at is not null';
const OTHERS = `from mail
    where sent_at is null and expires_at is null and is_slow in (false, true)`;
const count = (mails: string): string =>
  `(select count(*)::int from (select ${mails} limit ${COUNTED_MAX}) counted)`;
const COUNT_MAILS = `select ${count(CODES)} as code,
    ${count(`${OTHERS} and next_attempt_at < 'infinity'`)} as other,
    ${count(`${OTHERS} and next_attempt_at = 'infinity'`)} as failed`;
const OLDEST = `select
    coalesce(extract(epoch from $1::timestamptz - (select min(created_at) ${CODES})), 0)::float8
      as code,
    coalesce(extract(epoch from $1::timestamptz - (select min(created_at) ${OTHERS}
      and next_attempt_at < 'infinity')), 0)::float8 as other`;

type MailCounts = Readonly<Record<'code' | 'other' | 'failed', number>>;

/** Mails that wait, with a code or without, and mails that no relay took: up to 10,000 of each. */
export async function countMails(db: Db): Promise<MailCounts> {
  const { rows } = await db.query<MailCounts>(COUNT_MAILS);
  return rows[0] ?? { code: 0, other: 0, failed: 0 };
}

type MailAges = Readonly<Record<'code' | 'other', number>>;

/** Age in seconds of the oldest mail that waits. */
export async function measureOldestMails(db: Db, clock: Clock): Promise<MailAges> {
  const { rows } = await db.query<MailAges>(OLDEST, [clock.now()]);
  return rows[0] ?? { code: 0, other: 0 };
}

/** How many mails wait, and for how long, as Prometheus gauges. */
export function registerMailMetrics(metrics: Metrics, db: Db, clock: Clock): void {
  metrics.gauge(
    'edge_account_mail_queue',
    'Mails that wait, with a code or without, or that no relay took, each up to 10,000.',
    'state',
    () => countMails(db),
  );
  metrics.gauge(
    'edge_account_mail_oldest_seconds',
    'Age of the oldest mail that waits.',
    'state',
    () => measureOldestMails(db, clock),
  );
}

/** Mails are kept for thirty days, sent or not. */
export const MAIL_RETENTION: readonly RetentionRule[] = [
  {
    table: 'mail',
    reason: 'Users and operators see whether a mail was sent, and of which kind.',
    since: 'created_at',
    kept_s: 30 * 86_400,
    rowsPerDay: 2_000_000,
  },
];
