/** Reads of people. */
import { type Db, type KeyPage, listKeys, searchKeys, type Transaction } from '../db/index.ts';
import type { User, UserStatus } from './types.ts';

interface UserRow {
  id: number;
  email: string;
  nickname: string;
  referral_code: string;
  referrer_id: number | null;
  status: UserStatus;
  created_at: Date;
}

export const USER_COLUMNS = 'id, email, nickname, referral_code, referrer_id, status, created_at';

function toUser(row: UserRow): User {
  return {
    userId: row.id,
    email: row.email,
    nickname: row.nickname,
    referralCode: row.referral_code,
    ...(row.referrer_id !== null && { referrerId: row.referrer_id }),
    status: row.status,
    createdAt: row.created_at,
  };
}

/** A person, closed accounts included. */
export async function findUser(db: Db, userId: number): Promise<User | undefined> {
  const { rows } = await db.query<UserRow>(`select ${USER_COLUMNS} from app_user where id = $1`, [
    userId,
  ]);
  return rows[0] && toUser(rows[0]);
}

/** Which of these people exist. */
export async function findKnownUsers(db: Db, userIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await db.prepared<{ id: number }>(
    'identity-known-users',
    'select id from app_user where id = any($1::bigint[])',
    [userIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** A person, locked until the end of the transaction: changes of one person's safety take turns. */
export async function lockUser(tx: Transaction, userId: number): Promise<User | undefined> {
  const { rows } = await tx.query<UserRow>(
    `select ${USER_COLUMNS} from app_user where id = $1 for no key update`,
    [userId],
  );
  return rows[0] && toUser(rows[0]);
}

/** A person with the stored password hash. */
export type Credentials = User & { readonly passwordHash?: string };

export type CredentialsRow = UserRow & { password_hash: string | null };

export function toCredentials(row: CredentialsRow): Credentials {
  return { ...toUser(row), ...(row.password_hash !== null && { passwordHash: row.password_hash }) };
}

/** A person who does not change until the end of the transaction: a session never slips past a disabling or a new password. */
export async function lockUserForShare(
  tx: Transaction,
  userId: number,
): Promise<Credentials | undefined> {
  const { rows } = await tx.prepared<CredentialsRow>(
    'hold-user',
    `select ${USER_COLUMNS}, password_hash from app_user where id = $1 for share`,
    [userId],
  );
  return rows[0] && toCredentials(rows[0]);
}

/** The person that an address belongs to. */
export async function findCredentials(db: Db, emailKey: string): Promise<Credentials | undefined> {
  const { rows } = await db.prepared<CredentialsRow>(
    'find-credentials',
    `select ${USER_COLUMNS}, password_hash from app_user where email_key = $1`,
    [emailKey],
  );
  return rows[0] && toCredentials(rows[0]);
}

/** The person with a referral code, in letters of either size, unless the account is closed. */
export async function findReferrer(db: Db, referralCode: string): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>(
    "select id from app_user where referral_code = $1 and status <> 'closed'",
    [referralCode.toUpperCase()],
  );
  return rows[0]?.id;
}

export interface UserFilter {
  /** Substring of address or nickname; of fewer than three characters, how either begins. */
  readonly keyword?: string;
  readonly status?: UserStatus;
  readonly current: number;
  readonly size: number;
}

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** The index knows pieces of three characters, and how a text begins. */
const patternOf = (keyword: string): string =>
  `${[...keyword].length < 3 ? '' : '%'}${escapeLike(keyword.toLowerCase())}%`;

const NAMED = '(email_key like $1 or nickname ilike $1)';

function findKeys(db: Db, { keyword, status, ...page }: UserFilter): Promise<KeyPage> {
  const list = (...conditions: string[]): string =>
    `select id as key from app_user ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''} order by id desc`;
  if (keyword === undefined)
    return status === undefined
      ? listKeys(db, list(), [], page)
      : listKeys(db, list('status = $1'), [status], page);
  const pattern = patternOf(keyword);
  // `offset 0`: the name is looked up, whatever the planner believes of the status.
  const search = (where: string): string =>
    `select id as key from (select id, status from app_user where ${NAMED} offset 0) named ${where}`;
  if (status === undefined) return searchKeys(db, search(''), list(NAMED), [pattern], page);
  return searchKeys(
    db,
    search('where status = $2'),
    list(NAMED, 'status = $2'),
    [pattern, status],
    page,
  );
}

/** People for operators, newest first. The total is that of `listKeys`. */
export async function listUsers(
  db: Db,
  filter: UserFilter,
): Promise<{ users: User[]; total: number }> {
  const { keys, total } = await findKeys(db, filter);
  const { rows } = await db.query<UserRow>(
    `select ${USER_COLUMNS} from app_user where id = any($1::bigint[]) order by id desc`,
    [keys],
  );
  return { users: rows.map(toUser), total };
}
