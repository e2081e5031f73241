/** Changes of the last 24 hours after which a sign-in proves less. */
import { type Db, queryNamed } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SecurityEventType } from '../security-log.ts';

const RECENT_MS = 86_400_000;

/** An attacker who took over an account may have made these to pass for its owner. */
const CHANGES: readonly SecurityEventType[] = [
  'authenticator_enrolled',
  'authenticator_removed',
  'passkey_added',
  'passkey_removed',
  'email_factor_changed',
  'email_changed',
];

async function happenedLately(
  db: Db,
  clock: Clock,
  userId: number,
  types: readonly SecurityEventType[],
): Promise<boolean> {
  const { rowCount } = await queryNamed(
    db,
    `select from security_event where user_id = :user_id and type = any(:types::text[])
       and created_at > :created_at limit 1`,
    { user_id: userId, types, created_at: new Date(clock.now().getTime() - RECENT_MS) },
  );
  return rowCount > 0;
}

/** True when the password was reset within the last 24 hours, however it was proven. */
export function wasResetLately(db: Db, clock: Clock, userId: number): Promise<boolean> {
  return happenedLately(db, clock, userId, ['password_reset']);
}

/** True when a second factor or the email address was changed within the last 24 hours. */
export function changedFactorsLately(db: Db, clock: Clock, userId: number): Promise<boolean> {
  return happenedLately(db, clock, userId, CHANGES);
}
