/** Marks notifications as read. */
import { type Database, defineStatement, execute, transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { fieldError } from '../lib/failures.ts';
import { countUnread } from './list-notifications.ts';
import type { ReadBody } from './schemas.ts';

const READ_UP_TO = defineStatement(
  'notifications-read-up-to',
  `update notification set read_at = :now
   where user_id = :user_id and read_at is null and id <= :up_to`,
);
const READ_SOME = defineStatement(
  'notifications-read-some',
  `update notification set read_at = :now
   where user_id = :user_id and read_at is null and id = any (:ids::bigint[])`,
);

/**
 * Marks all notifications of a user up to one, or single ones.
 * @returns how many are left unread
 * @throws `invalid_parameter` for both or neither
 */
export async function readNotifications(
  database: Database,
  clock: Clock,
  userId: number,
  { up_to, ids }: ReadBody,
): Promise<number> {
  if (up_to === undefined && ids === undefined)
    throw fieldError('up_to', 'required', 'either `up_to` or `ids` must be given');
  if (up_to !== undefined && ids !== undefined)
    throw fieldError('ids', 'not_allowed', 'must not be given with `up_to`');
  return transaction(database, async (tx) => {
    const mark = { user_id: userId, now: clock.now() };
    if (ids) await execute(tx, READ_SOME, { ...mark, ids });
    else await execute(tx, READ_UP_TO, { ...mark, up_to });
    return countUnread(tx, userId);
  });
}
