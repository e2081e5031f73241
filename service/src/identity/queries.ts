/** Reads of users. */
import {
  type Db,
  defineStatement,
  execute,
  type KeyPage,
  listKeys,
  searchKeys,
  type Transaction,
} from '../db/index.ts';
import type { User, UserStatus } from './types.ts';

export interface UserRow {
  id: number;
  email: string;
  nickname: string;
  referral_code: string;
  referrer_id: number | null;
  status: UserStatus;
  groups: string[];
  created_at: Date;
}

export const USER_COLUMNS =
  'id, email, nickname, referral_code, referrer_id, status, groups, created_at';

export function toUser(row: UserRow): User {
  return {
    userId: row.id,
    email: row.email,
    nickname: row.nickname,
    referralCode: row.referral_code,
    ...(row.referrer_id !== null && { referrerId: row.referrer_id }),
    status: row.status,
    groups: row.groups,
    createdAt: row.created_at,
  };
}

/** A user, closed accounts included. */
export async function findUser(db: Db, userId: number): Promise<User | undefined> {
  const { rows } = await db.query<UserRow>(`select ${USER_COLUMNS} from app_user where id = $1`, [
    userId,
  ]);
  return rows[0] && toUser(rows[0]);
}

const FIND_KNOWN_USERS = defineStatement(
  'identity-find-known-users',
  'select id from app_user where id = any(:user_ids::bigint[])',
);

/** The users of these that exist. */
export async function findKnownUsers(db: Db, userIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await execute<{ id: number }>(db, FIND_KNOWN_USERS, { user_ids: userIds });
  return new Set(rows.map(({ id }) => id));
}

/** Nicknames of users. */
export async function findNicknames(
  db: Db,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (userIds.length === 0) return new Map();
  const { rows } = await db.query<{ id: number; nickname: string }>(
    'select id, nickname from app_user where id = any($1::bigint[])',
    [userIds],
  );
  return new Map(rows.map(({ id, nickname }) => [id, nickname]));
}

/** The users of these whose account is closed. */
export async function findClosedUsers(db: Db, userIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await db.query<{ id: number }>(
    `select id from app_user where id = any($1::bigint[]) and status = 'closed'`,
    [userIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** A user, locked until the end of the transaction: security changes of one user take turns. */
export async function lockUser(tx: Transaction, userId: number): Promise<User | undefined> {
  const { rows } = await tx.query<UserRow>(
    `select ${USER_COLUMNS} from app_user where id = $1 for no key update`,
    [userId],
  );
  return rows[0] && toUser(rows[0]);
}

/** A user with the stored password hash. */
export type Credentials = User & { readonly passwordHash?: string };

export type CredentialsRow = UserRow & { password_hash: string | null };

export function toCredentials(row: CredentialsRow): Credentials {
  return { ...toUser(row), ...(row.password_hash !== null && { passwordHash: row.password_hash }) };
}

const LOCK_USER_FOR_SHARE = defineStatement(
  'identity-lock-user-for-share',
  `select ${USER_COLUMNS}, password_hash from app_user where id = :user_id for share`,
);

/**
 * A user that does not change until the end of the transaction, so that no session outlives a
 * disabled account or an old password.
 */
export async function lockUserForShare(
  tx: Transaction,
  userId: number,
): Promise<Credentials | undefined> {
  const values = { user_id: userId };
  const { rows } = await execute<CredentialsRow>(tx, LOCK_USER_FOR_SHARE, values);
  return rows[0] && toCredentials(rows[0]);
}

const FIND_CREDENTIALS = defineStatement(
  'identity-find-credentials',
  `select ${USER_COLUMNS}, password_hash from app_user where email_key = :email_key`,
);

/** The user of an email address. */
export async function findCredentials(db: Db, emailKey: string): Promise<Credentials | undefined> {
  const values = { email_key: emailKey };
  const { rows } = await execute<CredentialsRow>(db, FIND_CREDENTIALS, values);
  return rows[0] && toCredentials(rows[0]);
}

export interface UserFilter {
  /**
   * Substring of email address or nickname; with fewer than three characters a prefix. Digits are
   * also the id of a user.
   */
  readonly keyword?: string;
  readonly status?: UserStatus;
  /** Only these users. */
  readonly ids?: readonly number[];
  /** Only users listed after this one: a list that is too long to be paged by number. */
  readonly after?: number;
  readonly current: number;
  readonly size: number;
}

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** The index supports trigrams and prefixes. */
const toPattern = (keyword: string): string =>
  `${[...keyword].length < 3 ? '' : '%'}${escapeLike(keyword.toLowerCase())}%`;

/** Digits that a number holds exactly. */
const USER_ID = /^[1-9]\d{0,14}$/;

const NAMES_MATCH = 'email_key like :pattern or nickname ilike :pattern';
const MATCHES = `(${NAMES_MATCH})`;
/** Each condition has its index, and a bitmap joins what they find. */
const MATCHES_OR_IS = `(${NAMES_MATCH} or id = :user_id::bigint)`;
const HAS_STATUS = 'status = :status';
const IS_AFTER = 'id < :after::bigint';
const IS_ONE_OF = 'id = any(:ids::bigint[])';

function findKeys(db: Db, { keyword, status, ids, after, ...page }: UserFilter): Promise<KeyPage> {
  const narrows = [
    ...(after === undefined ? [] : [IS_AFTER]),
    ...(ids === undefined ? [] : [IS_ONE_OF]),
  ];
  const toWhere = (conditions: readonly string[]): string => {
    const all = [...conditions, ...narrows];
    return all.length > 0 ? `where ${all.join(' and ')}` : '';
  };
  const list = (...conditions: string[]): string =>
    `select id as key from app_user ${toWhere(conditions)} order by id desc`;
  if (keyword === undefined)
    return status === undefined
      ? listKeys(db, list(), { ids, after }, page)
      : listKeys(db, list(HAS_STATUS), { status, ids, after }, page);
  const userId = USER_ID.test(keyword) ? Number(keyword) : undefined;
  const matches = userId === undefined ? MATCHES : MATCHES_OR_IS;
  // `offset 0` makes the planner use the index of the names, not that of the status.
  const search = (...conditions: string[]): string =>
    `select id as key from (
       select id, status from app_user where ${matches} offset 0) matching ${toWhere(conditions)}`;
  const found =
    status === undefined
      ? { search: search(), list: list(matches) }
      : { search: search(HAS_STATUS), list: list(matches, HAS_STATUS) };
  const values = { pattern: toPattern(keyword), user_id: userId, status, ids, after };
  return searchKeys(db, found, values, page);
}

/** Users for operators, newest first. `total` and `estimate` are those of `listKeys`. */
export async function listUsers(
  db: Db,
  filter: UserFilter,
): Promise<{ users: User[] } & Omit<KeyPage, 'keys'>> {
  const { keys, ...counts } = await findKeys(db, filter);
  const { rows } = await db.query<UserRow>(
    `select ${USER_COLUMNS} from app_user where id = any($1::bigint[]) order by id desc`,
    [keys],
  );
  return { users: rows.map(toUser), ...counts };
}
