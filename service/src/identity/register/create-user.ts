import { randomInt } from 'node:crypto';
import type { Transaction } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { findUser } from '../queries.ts';
import type { User, UserCreatedHook } from '../types.ts';

/** Without 0, O, 1, I, L, U: people read these codes to each other. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 10;
const TRIES = 5;

function newReferralCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

export interface NewUser {
  readonly email: string;
  readonly nickname: string;
  readonly passwordHash: string;
  readonly referrerId?: number;
}

/** Makes a person, with what every domain needs for one. Undefined when the address is taken. */
export async function createUser(
  tx: Transaction,
  clock: Clock,
  hooks: readonly UserCreatedHook[],
  input: NewUser,
): Promise<User | undefined> {
  const { email, nickname, passwordHash, referrerId } = input;
  for (let i = 0; i < TRIES; i++) {
    const { rows } = await tx.query<{ id: number }>(
      `insert into app_user (email, email_key, nickname, password_hash, referral_code, referrer_id, created_at)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning id`,
      [
        email,
        email.toLowerCase(),
        nickname,
        passwordHash,
        newReferralCode(),
        referrerId ?? null,
        clock.now(),
      ],
    );
    const user = rows[0] && (await findUser(tx, rows[0].id));
    if (user) {
      for (const hook of hooks) await hook(tx, user);
      return user;
    }
    const { rowCount } = await tx.query('select 1 from app_user where email_key = $1', [
      email.toLowerCase(),
    ]);
    if (rowCount > 0) return undefined;
  }
  throw new Error('no free referral code was found');
}
