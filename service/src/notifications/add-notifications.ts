/** Adds notifications for those who want them, in the transaction that found their cause. */
import { defineStatement, execute, type Transaction } from '../db/index.ts';
import { recordEvents } from '../events/index.ts';
import type { Clock } from '../lib/clock.ts';
import { type Code, isOnByDefault, type Kind } from './kinds.ts';
import { planMails } from './plan-mails.ts';
import { planPushes } from './push/index.ts';

/** Notifications of one user; the oldest go. */
export const KEPT_MAX = 200;

export interface NewNotification {
  readonly userId: number;
  readonly kind: Kind;
  readonly code: Code;
  readonly details: Readonly<Record<string, string>>;
  /** What it is about. A user has one notification of each cause. */
  readonly cause: string;
  readonly createdAt: Date;
}

// A closed account receives nothing: its rows are about to be erased.
const ADD = defineStatement(
  'notifications-add',
  `insert into notification
     (user_id, kind, code, details, cause, created_at, in_bell, by_mail, by_push)
   select n.user_id, n.kind, n.code, n.details::jsonb, n.cause, n.created_at,
     coalesce(b.is_on, n.in_bell), coalesce(m.is_on, n.by_mail), wanted.by_push
   from unnest(:user_ids::bigint[], :kinds::text[], :codes::text[], :details::text[],
       :causes::text[], :created_at::timestamptz[], :in_bell::boolean[], :by_mail::boolean[],
       :by_push::boolean[])
     with ordinality
     as n (user_id, kind, code, details, cause, created_at, in_bell, by_mail, by_push, number)
     join app_user u on u.id = n.user_id and u.status <> 'closed'
     left join notification_choice b
       on b.user_id = n.user_id and b.kind = n.kind and b.channel = 'bell'
     left join notification_choice m
       on m.user_id = n.user_id and m.kind = n.kind and m.channel = 'mail'
     left join notification_choice p
       on p.user_id = n.user_id and p.kind = n.kind and p.channel = 'push'
     cross join lateral (select coalesce(p.is_on, n.by_push)
       and exists (select from push_subscription s where s.user_id = n.user_id)) as wanted (by_push)
   where coalesce(b.is_on, n.in_bell) or coalesce(m.is_on, n.by_mail) or wanted.by_push
   order by n.number
   on conflict on constraint notification_cause_key do nothing
   returning id, user_id as "userId", kind, code, in_bell as "inBell", by_mail as "byMail",
     by_push as "byPush"`,
);
const DROP_OLDEST = defineStatement(
  'notifications-drop-oldest',
  `delete from notification where id in (
     select old.id from unnest(:user_ids::bigint[]) as owner (id)
     cross join lateral (
       select id from notification where user_id = owner.id
       order by id desc offset ${KEPT_MAX}) as old)`,
);

interface Added {
  readonly id: number;
  readonly userId: number;
  readonly kind: Kind;
  readonly code: Code;
  readonly inBell: boolean;
  readonly byMail: boolean;
  readonly byPush: boolean;
}

/**
 * Adds what its users want to be notified, once for each cause, and records `notification.created`.
 * @returns how many were added
 */
export async function addNotifications(
  tx: Transaction,
  clock: Clock,
  drafts: readonly NewNotification[],
): Promise<number> {
  if (drafts.length === 0) return 0;
  const { rows } = await execute<Added>(tx, ADD, {
    user_ids: drafts.map(({ userId }) => userId),
    kinds: drafts.map(({ kind }) => kind),
    codes: drafts.map(({ code }) => code),
    details: drafts.map(({ details }) => JSON.stringify(details)),
    causes: drafts.map(({ cause }) => cause),
    created_at: drafts.map(({ createdAt }) => createdAt),
    in_bell: drafts.map(({ kind }) => isOnByDefault(kind, 'bell')),
    by_mail: drafts.map(({ kind }) => isOnByDefault(kind, 'mail')),
    by_push: drafts.map(({ kind }) => isOnByDefault(kind, 'push')),
  });
  if (rows.length === 0) return 0;
  await execute(tx, DROP_OLDEST, { user_ids: [...new Set(rows.map(({ userId }) => userId))] });
  const mailed = rows.filter(({ byMail }) => byMail).map(({ userId }) => userId);
  await planMails(tx, clock, mailed);
  await planPushes(
    tx,
    clock,
    rows.filter(({ byPush }) => byPush),
  );
  const shown = rows.filter(({ inBell }) => inBell);
  await recordEvents(
    tx,
    clock,
    shown.map(({ id, userId, kind, code }) => ({
      userId,
      type: 'notification.created',
      data: { id, user_id: userId, kind, code },
    })),
  );
  return rows.length;
}
