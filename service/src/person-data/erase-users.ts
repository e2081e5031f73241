/**
 * Erases what identifies the users whose account was closed long enough ago: their key, and by it
 * what backups have, and what tables have in clear. The books and figures stay, under the number
 * of the user.
 */
import { type Database, type Transaction, transaction } from '../db/index.ts';
import { destroyPersonKey, lockDueErasures } from '../identity/index.ts';
import type { Job } from '../jobs/index.ts';
import type { Clock } from '../lib/clock.ts';

const EVERY_MS = 600_000;

const OF_DEVICES = 'device_id in (select id from device where user_id = $1)';

/** `$1` is the user. Each may be run again. */
export const ERASE: readonly string[] = [
  'delete from security_event where user_id = $1',
  'delete from user_note where user_id = $1',
  'delete from ticket where user_id = $1',
  'delete from mail where user_id = $1',
  'delete from push_subscription where user_id = $1',
  'delete from notification where user_id = $1',
  'delete from notification_choice where user_id = $1',
  'delete from notification_setting where user_id = $1',
  'delete from notification_mail where user_id = $1',
  "delete from idempotency where caller = 'user:' || ($1::bigint)::text",
  'delete from user_session where user_id = $1',
  'delete from consent where user_id = $1',
  'delete from event where user_id = $1 and position is not null',
  `delete from community_note where user_id = $1
     or user_id in (select user_id from community_member where referrer_id = $1)`,
  `update device set name = '', browser = '', extension_version = '', os = '', timezone = 'UTC',
     registered_address = '' where user_id = $1`,
  `update device_presence set address = '' where ${OF_DEVICES}`,
  "update payout_address set label = '' where user_id = $1",
  'update payout set owner_assertion = null where user_id = $1',
  "update imported_row set digest = '' where file = 'people' and key = ($1::bigint)::text",
];

async function eraseOne(tx: Transaction, clock: Clock): Promise<boolean> {
  const now = clock.now();
  const [userId] = await lockDueErasures(tx, now, 1);
  if (userId === undefined) return false;
  await tx.query('set local statement_timeout = 0');
  for (const statement of ERASE) await tx.query(statement, [userId]);
  await destroyPersonKey(tx, userId, now);
  return true;
}

/** Erases all users who are due, each in a transaction of their own. @returns their number */
export async function eraseDueUsers(database: Database, clock: Clock): Promise<number> {
  let erased = 0;
  while (await transaction(database, (tx) => eraseOne(tx, clock))) erased++;
  return erased;
}

export function createErasureJob(database: Database, clock: Clock): Job {
  return {
    name: 'erase-closed-accounts',
    every_ms: EVERY_MS,
    deletesByTime: true,
    run: () => eraseDueUsers(database, clock),
  };
}
