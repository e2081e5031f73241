/** Reads of notifications. */
import { type Db, defineStatement, execute } from '../db/index.ts';
import type { Code, Kind } from './kinds.ts';
import type { NotificationPage, NotificationsQuery } from './schemas.ts';

const SIZE = 20;

interface Row {
  readonly id: number;
  readonly kind: Kind;
  readonly code: Code;
  readonly details: Record<string, string>;
  readonly created_at: Date;
  readonly is_read: boolean;
}

const COUNT_UNREAD = defineStatement(
  'notifications-unread',
  `select count(*)::int as unread from notification
   where user_id = :user_id and in_bell and read_at is null`,
);

/** How many notifications of a user are unread. */
export async function countUnread(db: Db, userId: number): Promise<number> {
  const { rows } = await execute<{ unread: number }>(db, COUNT_UNREAD, { user_id: userId });
  return rows[0]?.unread ?? 0;
}

const LIST = defineStatement(
  'notifications-list',
  `select id, kind, code, details, created_at, read_at is not null as is_read from notification
   where user_id = :user_id and in_bell and id < :before order by id desc limit :limit`,
);

/** A page of a user's notifications, newest first. */
export async function listNotifications(
  db: Db,
  userId: number,
  { before = Number.MAX_SAFE_INTEGER, size = SIZE }: NotificationsQuery,
): Promise<NotificationPage> {
  const values = { user_id: userId, before, limit: size + 1 };
  const { rows } = await execute<Row>(db, LIST, values);
  const records = rows
    .slice(0, size)
    .map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  const last = records.at(-1);
  return {
    records,
    unread: await countUnread(db, userId),
    ...(rows.length > size && last && { next: last.id }),
  };
}
