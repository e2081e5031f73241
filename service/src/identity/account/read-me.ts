import type { Db } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';
import { findUser } from '../queries.ts';
import type { Me } from '../schemas.ts';
import { listMethods } from '../second-factors/available-methods.ts';

async function isOperator(db: Db, userId: number): Promise<boolean> {
  const { rowCount } = await db.query(
    'select from app_user where id = $1 and cardinality(operator_scopes) > 0',
    [userId],
  );
  return rowCount === 1;
}

/** The profile of the signed-in user. */
export async function readMe(db: Db, clock: Clock, userId: number): Promise<Me> {
  const user = await findUser(db, userId);
  if (!user || user.status === 'closed') throw failure('not_found');
  return {
    user_id: user.userId,
    email: user.email,
    nickname: user.nickname,
    referral_code: user.referralCode,
    ...(user.referrerId !== undefined && { referrer_id: user.referrerId }),
    two_factor_methods: await listMethods(db, clock, userId),
    created_at: user.createdAt.toISOString(),
    ...((await isOperator(db, userId)) && { may_operate: true }),
  };
}
