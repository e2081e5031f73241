/** Users for tests of other domains. */
import type { Db } from '../../src/db/index.ts';

let count = 0;

/** Inserts a user and returns the id. */
export async function insertUser(
  db: Db,
  fields: {
    referrerId?: number;
    nickname?: string;
    email?: string;
    createdAt?: Date;
    operatorScopes?: readonly string[];
  } = {},
): Promise<number> {
  const n = ++count;
  const email = fields.email ?? `user${n}@example.test`;
  const { rows } = await db.query<{ id: number }>(
    `insert into app_user (email, email_key, nickname, referral_code, referrer_id, created_at,
       operator_scopes)
     values ($1, lower($1), $2, $3, $4, $5, $6)
     returning id`,
    [
      email,
      fields.nickname ?? `User ${n}`,
      `CODE${n}`,
      fields.referrerId ?? null,
      fields.createdAt ?? new Date('2026-01-01T00:00:00Z'),
      fields.operatorScopes ?? [],
    ],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('no user was inserted');
  return id;
}
