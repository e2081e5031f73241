import { defineStatement, execute, inOrder, type Transaction } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { newReadableCode } from '../../lib/ids.ts';
import { toUser, USER_COLUMNS, type UserRow } from '../queries.ts';
import type { User, UserCreatedHook } from '../types.ts';

const CODE_LENGTH = 10;
const TRIES = 5;

export interface NewUser {
  readonly email: string;
  readonly nickname: string;
  /** Null: none; the user signs in with another provider, or sets one by a reset. */
  readonly passwordHash: string | null;
  readonly referrerId: number | null;
}

const INSERT_USER = defineStatement(
  'identity-insert-user',
  `insert into app_user (email, email_key, nickname, password_hash, referral_code, referrer_id,
     created_at)
   values (:email, :email_key, :nickname, :password_hash, :referral_code, :referrer_id, :now)
   on conflict do nothing returning ${USER_COLUMNS}`,
);

/** Creates a user, with what other domains need. Undefined when the address is taken. */
export async function createUser(
  tx: Transaction,
  clock: Clock,
  hooks: readonly UserCreatedHook[],
  { email, nickname, passwordHash, referrerId }: NewUser,
): Promise<User | undefined> {
  const emailKey = email.toLowerCase();
  for (let i = 0; i < TRIES; i++) {
    const { rows } = await execute<UserRow>(tx, INSERT_USER, {
      email,
      email_key: emailKey,
      nickname,
      password_hash: passwordHash,
      referral_code: newReadableCode(CODE_LENGTH),
      referrer_id: referrerId,
      now: clock.now(),
    });
    const user = rows[0] && toUser(rows[0]);
    if (user) {
      await inOrder(hooks.map((hook) => hook(tx, user)));
      return user;
    }
    const { rowCount } = await tx.query('select 1 from app_user where email_key = $1', [emailKey]);
    if (rowCount > 0) return undefined;
  }
  throw new Error('no free referral code was found');
}
