/** When the next mail of each user is due. */
import { defineStatement, execute, type Transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { DEFAULT_DIGEST } from './kinds.ts';

/** The next 08:00 in the time zone of the user. */
const NEXT_MORNING = `(date_trunc('day', (:now::timestamptz at time zone zone) - interval '8 hours')
  + interval '32 hours') at time zone zone`;

const PLAN = defineStatement(
  'notification-mail-plan',
  `insert into notification_mail as m (user_id, due_at)
   select o.user_id, case coalesce(s.digest, '${DEFAULT_DIGEST}')
       when 'at_once' then :now::timestamptz
       when 'daily' then ${NEXT_MORNING}
       else greatest(:now::timestamptz, last.sent_at + interval '1 hour') end
   from unnest(:user_ids::bigint[]) as o (user_id)
     left join notification_setting s on s.user_id = o.user_id
     left join notification_mail last on last.user_id = o.user_id
     cross join lateral (select coalesce(s.time_zone, 'UTC') as zone) as place
   order by o.user_id
   on conflict (user_id) do update set due_at = least(m.due_at, excluded.due_at)`,
);

/** Plans the next mail of users who have notifications for it; one that is planned stays. */
export async function planMails(
  tx: Transaction,
  clock: Clock,
  userIds: readonly number[],
): Promise<void> {
  if (userIds.length === 0) return;
  await execute(tx, PLAN, { user_ids: [...new Set(userIds)], now: clock.now() });
}
