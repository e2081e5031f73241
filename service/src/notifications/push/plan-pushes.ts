/** Which browsers are sent what, and when. */
import { defineStatement, execute, type Transaction } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Kind } from '../kinds.ts';

// In one order, so that two transactions for the same users do not deadlock.
const LOCK = defineStatement(
  'push-plan-lock',
  `select id from push_subscription where user_id = any (:user_ids::bigint[])
   order by id for no key update`,
);
const QUEUE = defineStatement(
  'push-plan-queue',
  `insert into push_message (subscription_id, notification_id)
   select s.id, n.id from unnest(:ids::bigint[], :user_ids::bigint[]) as n (id, user_id)
     join push_subscription s on s.user_id = n.user_id
   on conflict do nothing`,
);
const PLAN = defineStatement(
  'push-plan',
  `update push_subscription set due_at = coalesce(due_at, :now)
   where user_id = any (:user_ids::bigint[])`,
);

/**
 * Queues new notifications for the browsers of their users. A time that is planned stays: after a
 * failure nothing is sent before it.
 */
export async function planPushes(
  tx: Transaction,
  clock: Clock,
  notifications: readonly { readonly id: number; readonly userId: number }[],
): Promise<void> {
  if (notifications.length === 0) return;
  const ids = notifications.map(({ id }) => id);
  const userIds = notifications.map(({ userId }) => userId);
  const distinct = [...new Set(userIds)];
  await execute(tx, LOCK, { user_ids: distinct });
  await execute(tx, QUEUE, { ids, user_ids: userIds });
  await execute(tx, PLAN, { user_ids: distinct, now: clock.now() });
}

const DROP = defineStatement(
  'push-plan-drop',
  `delete from push_message m using push_subscription s, notification n
   where s.user_id = :user_id and m.subscription_id = s.id and n.id = m.notification_id
     and n.kind = any (:kinds::text[])`,
);

/** What waits for the browsers of a user, and is not wanted there any more, is not sent. */
export async function dropQueued(
  tx: Transaction,
  userId: number,
  kinds: readonly Kind[],
): Promise<void> {
  await execute(tx, DROP, { user_id: userId, kinds });
}
