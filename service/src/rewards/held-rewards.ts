/** Referees whose rewards are held: shown with the reason, released by an operator. */
import { randomBytes } from 'node:crypto';
import { type Database, type Db, listKeys, queryNamed, transaction } from '../db/index.ts';
import { recordEvent } from '../events/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import { isHeld } from './closed-lines.ts';
import { HOUR_MS } from './rules.ts';

export interface HeldReferee {
  readonly userId: number;
  readonly reason: string;
  readonly heldAt: Date;
  /** Minor units held, of all referrers together. */
  readonly amount: string;
}

const HELD = `select user_id as key from reward_user
  where hold_reason is not null and released_at is null order by held_at desc, user_id desc`;
const ROWS = `select u.user_id as "userId", u.hold_reason as reason, u.held_at as "heldAt",
    (
      select coalesce(sum(l.amount), 0)::text from reward_line l
      where l.referee_id = u.user_id and ${isHeld('l')}
    ) as amount
  from reward_user u where u.user_id = any($1::bigint[]) order by u.held_at desc, u.user_id desc`;

export async function listHeld(
  db: Db,
  current: number,
  size: number,
): Promise<{ held: HeldReferee[]; total: number }> {
  const { keys, total } = await listKeys(db, HELD, {}, { current, size });
  const { rows } = await db.query<HeldReferee>(ROWS, [keys]);
  return { held: rows, total };
}

/** How many referees wait for an operator. */
export async function countHeld(db: Db): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    `select count(*)::int as total from reward_user
     where hold_reason is not null and released_at is null`,
  );
  return rows[0]?.total ?? 0;
}

/** True for a person who shares an address or key with others, until an operator releases them. */
export async function isHeldReferee(db: Db, userId: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from reward_user where user_id = $1 and hold_reason is not null
       and released_at is null`,
    [userId],
  );
  return rowCount > 0;
}

/**
 * Lets a referee count from now on, and pays what was held.
 * @returns the settlement that pays it
 */
export async function releaseHeld(
  database: Database,
  clock: Clock,
  userId: number,
  by: string,
): Promise<number> {
  const now = clock.now();
  return transaction(database, async (tx) => {
    const { rowCount } = await tx.query(
      `select from reward_user where user_id = $1 and hold_reason is not null
         and released_at is null for update`,
      [userId],
    );
    if (rowCount === 0)
      throw failure(
        (await tx.query('select from app_user where id = $1', [userId])).rowCount === 0
          ? 'unknown_user'
          : 'not_held',
      );
    const { rows } = await queryNamed<{ id: number }>(
      tx,
      `insert into reward_batch
          (kind, hour, rule_version, state, referee_id, salt_key, created_at)
        values ('release', :hour, 0, 'open', :user_id, :salt_key, :now) returning id`,
      {
        hour: new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS),
        user_id: userId,
        salt_key: randomBytes(32),
        now,
      },
    );
    // After the settlement, which the entry of the audit log names.
    await queryNamed(
      tx,
      `update reward_user set released_at = :now, released_by = :released_by
        where user_id = :user_id`,
      { user_id: userId, now, released_by: by },
    );
    await recordEvent(tx, clock, { type: 'rewards.released', data: { user_id: userId } });
    return rows[0]?.id ?? 0;
  });
}
