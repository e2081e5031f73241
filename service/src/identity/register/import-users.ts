/** Users that come from another system, with their ids. */
import { plainArray, queryNamed, type Transaction, textArray } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { newReadableCode } from '../../lib/ids.ts';
import { closeUsers } from '../account/close-users.ts';
import { endAllSessions } from '../sessions/index.ts';
import { deleteTickets } from '../tickets.ts';
import type { UserStatus } from '../types.ts';

export interface ImportedUser {
  readonly userId: number;
  readonly email: string;
  readonly nickname: string;
  /** As `PasswordImport` stores it; null: the user sets one by a reset. */
  readonly passwordHash: string | null;
  readonly referrerId: number | null;
  /** Null: a new one. */
  readonly referralCode: string | null;
  readonly status: UserStatus;
  /** RFC 3339. */
  readonly createdAt: string;
}

const CODE_LENGTH = 10;

const INSERT_USERS = `insert into app_user (id, email, email_key, nickname, password_hash,
    referral_code, referrer_id, status, created_at)
  overriding system value
  select * from unnest(:ids::bigint[], :emails::text[], :email_keys::text[], :nicknames::text[],
    :password_hashes::text[], :referral_codes::text[], :referrer_ids::bigint[], :statuses::text[],
    :created_at::timestamptz[])
  on conflict do nothing returning id`;

/**
 * Adds users; returns those that were added. Others have the id, address or code of another user.
 */
export async function importUsers(
  tx: Transaction,
  users: readonly ImportedUser[],
): Promise<Set<number>> {
  const { rows } = await queryNamed<{ id: number }>(tx, INSERT_USERS, {
    ids: plainArray(users.map(({ userId }) => userId)),
    emails: textArray(users.map(({ email }) => email)),
    email_keys: textArray(users.map(({ email }) => email.toLowerCase())),
    nicknames: textArray(users.map(({ nickname }) => nickname)),
    password_hashes: textArray(users.map(({ passwordHash }) => passwordHash)),
    referral_codes: textArray(
      users.map(({ referralCode }) => referralCode ?? newReadableCode(CODE_LENGTH)),
    ),
    referrer_ids: plainArray(users.map(({ referrerId }) => referrerId)),
    statuses: plainArray(users.map(({ status }) => status)),
    created_at: textArray(users.map(({ createdAt }) => createdAt)),
  });
  return new Set(rows.map(({ id }) => id));
}

/**
 * A password that was set or verified here stays. So does a profile that was changed here, unless
 * it is overwritten: it is then as the source has it.
 */
const UPDATE_USERS = `update app_user u set email = n.email, email_key = n.email_key,
    nickname = n.nickname, status = n.status, profile_changed_at = null,
    referral_code = coalesce(n.referral_code, u.referral_code),
    password_hash = case when u.password_hash is null or u.password_hash like 'imported$%'
      then n.password_hash else u.password_hash end
  from unnest(:ids::bigint[], :emails::text[], :email_keys::text[], :nicknames::text[],
      :password_hashes::text[], :referral_codes::text[], :statuses::text[])
    n (id, email, email_key, nickname, password_hash, referral_code, status)
  where u.id = n.id and u.status <> 'closed'
    and (:overwrites or u.profile_changed_at is null
      or (u.email, u.nickname, u.status) = (n.email, n.nickname, n.status))
  returning u.id`;

const OF_STATUS = 'select id from app_user where id = any(:ids::bigint[]) and status = :here';

/** Users of these that the source has in one status, and this service in another. */
async function findBetween(
  tx: Transaction,
  users: readonly ImportedUser[],
  { source, here }: { readonly source: UserStatus; readonly here: UserStatus },
): Promise<number[]> {
  const ids = users.filter(({ status }) => status === source).map(({ userId }) => userId);
  if (ids.length === 0) return [];
  const values = { ids: plainArray(ids), here };
  return (await queryNamed<{ id: number }>(tx, OF_STATUS, values)).rows.map(({ id }) => id);
}

export interface ImportRules {
  /** Whether the source wins over what was changed here. */
  readonly overwrites: boolean;
  /** Seconds until a closed account is erased. */
  readonly closedAccountTtl_s: number;
}

/**
 * Brings imported users up to date; returns those that were. A closed account does not change. The
 * sessions of a user whom the source disabled end, and an account that it closed is closed here.
 */
export async function updateImportedUsers(
  tx: Transaction,
  clock: Clock,
  users: readonly ImportedUser[],
  { overwrites, closedAccountTtl_s }: ImportRules,
): Promise<Set<number>> {
  const disabled = await findBetween(tx, users, { source: 'disabled', here: 'active' });
  const closedBefore = await findBetween(tx, users, { source: 'closed', here: 'closed' });
  const { rows } = await queryNamed<{ id: number }>(tx, UPDATE_USERS, {
    ids: plainArray(users.map(({ userId }) => userId)),
    emails: textArray(users.map(({ email }) => email)),
    email_keys: textArray(users.map(({ email }) => email.toLowerCase())),
    nicknames: textArray(users.map(({ nickname }) => nickname)),
    password_hashes: textArray(users.map(({ passwordHash }) => passwordHash)),
    referral_codes: textArray(users.map(({ referralCode }) => referralCode)),
    statuses: plainArray(users.map(({ status }) => status)),
    overwrites,
  });
  const updated = new Set(rows.map(({ id }) => id));
  for (const userId of disabled.filter((id) => updated.has(id))) {
    await endAllSessions(tx, clock, { userId, reason: 'account_disabled' });
    await deleteTickets(tx, userId);
  }
  const closed = users.filter(({ userId, status }) => status === 'closed' && updated.has(userId));
  await closeUsers(
    tx,
    clock,
    closed.map(({ userId }) => userId),
    closedAccountTtl_s,
  );
  return new Set([...updated, ...closedBefore]);
}

/** Forms that no user has: of an address, and of a code. */
const RELEASE_NAMES = `update app_user u set email = 'moving-' || u.id || '@import.invalid',
    email_key = 'moving-' || u.id || '@import.invalid',
    referral_code = case when n.referral_code is null then u.referral_code
      else 'moving-' || u.id end
  from unnest(:ids::bigint[], :referral_codes::text[]) n (id, referral_code)
  where u.id = n.id and u.status <> 'closed' and (:overwrites or u.profile_changed_at is null)
  returning u.id`;

/**
 * Takes addresses and codes from imported users who get others, so that users may exchange them.
 * The same transaction must update these users.
 * @returns the ids of those that may be updated
 */
export async function releaseNames(
  tx: Transaction,
  users: readonly ImportedUser[],
  overwrites: boolean,
): Promise<Set<number>> {
  const { rows } = await queryNamed<{ id: number }>(tx, RELEASE_NAMES, {
    ids: plainArray(users.map(({ userId }) => userId)),
    referral_codes: textArray(users.map(({ referralCode }) => referralCode)),
    overwrites,
  });
  return new Set(rows.map(({ id }) => id));
}

/** Ids of this cell, beginning with `first`: 37 bits below the number of the cell. */
const CELL_IDS = 2 ** 37;

/**
 * From now on new users get ids from `first` on, so that the source can continue to give its own
 * ids until the switch.
 */
export async function reserveUserIds(tx: Transaction, first: number): Promise<void> {
  const { rows } = await tx.query<{ last_value: number }>('select last_value from app_user_id_seq');
  if ((rows[0]?.last_value ?? 0) >= first) return;
  const end = Math.floor(first / CELL_IDS + 1) * CELL_IDS;
  await tx.query(`alter sequence app_user_id_seq maxvalue ${end - 1} restart ${first}`);
}

const SEARCH_INDEXES = [
  `app_user_email_search_idx on app_user using gin (email_key gin_trgm_ops)
    with (fastupdate = off)`,
  `app_user_nickname_search_idx on app_user using gin (nickname gin_trgm_ops)
    with (fastupdate = off)`,
] as const;

/**
 * Adds many users to an installation without any: the indexes of the search are made afterwards,
 * which is much faster. With users, `work` runs as it is.
 */
export async function withFastInserts(tx: Transaction, work: () => Promise<void>): Promise<void> {
  const { rowCount } = await tx.query('select from app_user limit 1');
  if (rowCount > 0) return work();
  for (const index of SEARCH_INDEXES) await tx.query(`drop index ${index.split(' ')[0]}`);
  await work();
  for (const index of SEARCH_INDEXES) await tx.query(`create index ${index}`);
}
