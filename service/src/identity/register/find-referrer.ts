import { type Db, queryNamed } from '../../db/index.ts';
import { fieldError } from '../../lib/failures.ts';

/** The user with a referral code, null without one. @throws `invalid_parameter` */
export async function findReferrer(db: Db, code: string | undefined): Promise<number | null> {
  if (code === undefined) return null;
  const { rows } = await queryNamed<{ id: number }>(
    db,
    `select id from app_user where referral_code = :referral_code and status <> 'closed'`,
    { referral_code: code.toUpperCase() },
  );
  const id = rows[0]?.id;
  if (id === undefined) throw fieldError('referral_code', 'unknown', 'is unknown');
  return id;
}
