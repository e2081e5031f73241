/** Sends what is due by mail: one mail for all that a user has waiting. */
import {
  type Database,
  defineStatement,
  execute,
  type Transaction,
  transaction,
} from '../db/index.ts';
import { findUser } from '../identity/index.ts';
import type { Clock } from '../lib/clock.ts';
import { LANGUAGES, type Language } from '../lib/language.ts';
import { sendMail } from '../mail/index.ts';
import { issueToken, type UnsubscribeTokens } from './unsubscribe.ts';
import { LISTED_MAX, type MailedNotification, writeDigest } from './write-digest.ts';

/** Mails of one run. */
const RUN_MAX = 1000;

export interface DigestDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly tokens: UnsubscribeTokens;
  /** Where the service is, without a slash at the end. */
  readonly baseUrl: string;
}

const TAKE_DUE = defineStatement(
  'notification-mail-due',
  `select m.user_id as "userId", s.language, s.time_zone as "timeZone"
   from notification_mail m left join notification_setting s on s.user_id = m.user_id
   where m.due_at <= :now order by m.due_at limit 1 for update of m skip locked`,
);
const READ_WAITING = defineStatement(
  'notification-mail-waiting',
  `select code, details, created_at, count(*) over ()::int as total from notification
   where user_id = :user_id and by_mail and mailed_at is null
   order by id desc limit ${LISTED_MAX}`,
);
const MARK_MAILED = defineStatement(
  'notification-mail-mark',
  `update notification set mailed_at = :now
   where user_id = :user_id and by_mail and mailed_at is null`,
);
const RECORD_SENT = defineStatement(
  'notification-mail-sent',
  `update notification_mail set due_at = null,
     sent_at = case when :is_sent::boolean then :now::timestamptz else sent_at end
   where user_id = :user_id`,
);

interface Due {
  readonly userId: number;
  readonly language: Language | null;
  readonly timeZone: string | null;
}
type Waiting = MailedNotification & { readonly total: number };

/** As chosen, or else that of the newest sign-in among them. */
function languageOf({ language }: Due, waiting: readonly Waiting[]): Language {
  const wanted = [language, ...waiting.map(({ details }) => details.language)];
  return wanted.flatMap((tag) => LANGUAGES.filter((one) => one === tag))[0] ?? 'en';
}

/** @returns false when nothing waits any more, or the account is not active */
async function queueDigest(
  tx: Transaction,
  { clock, tokens, baseUrl }: DigestDeps,
  due: Due,
): Promise<boolean> {
  const { userId } = due;
  const { rows } = await execute<Waiting>(tx, READ_WAITING, { user_id: userId });
  const user = await findUser(tx, userId);
  if (rows.length === 0 || user?.status !== 'active') return false;
  const mail = writeDigest({
    ...{ to: user.email, userId, notifications: rows, total: rows[0]?.total ?? 0 },
    language: languageOf(due, rows),
    timeZone: due.timeZone ?? 'UTC',
    listUrl: `${baseUrl}/notifications`,
    unsubscribeUrl: `${baseUrl}/unsubscribe?token=${issueToken(tokens, clock, userId)}`,
  });
  await sendMail(tx, clock, mail);
  return true;
}

/** @returns false when nothing is due */
async function sendNext(deps: DigestDeps): Promise<boolean> {
  const { database, clock } = deps;
  return transaction(database, async (tx) => {
    const now = clock.now();
    const { rows } = await execute<Due>(tx, TAKE_DUE, { now });
    const [due] = rows;
    if (!due) return false;
    const isSent = await queueDigest(tx, deps, due);
    await execute(tx, MARK_MAILED, { user_id: due.userId, now });
    await execute(tx, RECORD_SENT, { user_id: due.userId, now, is_sent: isSent });
    return true;
  });
}

/**
 * Queues the mails that are due, each in a transaction with the mark of what it has: a run that
 * dies sends none twice. Any number of instances may run it.
 */
export async function sendDigests(deps: DigestDeps, signal?: AbortSignal): Promise<void> {
  for (let sent = 0; sent < RUN_MAX && !signal?.aborted; sent++)
    if (!(await sendNext(deps))) return;
}
