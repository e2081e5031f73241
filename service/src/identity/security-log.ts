/** The security log of an account, readable by its owner. */
import { type Db, defineStatement, execute, queryNamed, type Transaction } from '../db/index.ts';
import { CONSOLE_CLIENT_ID } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { hashUserAddress, openOfUser, sealForUser } from './erasure/person-keys.ts';
import type { RequestOrigin } from './types.ts';

export const SECURITY_EVENTS = [
  'registered',
  'signed_in',
  'sign_in_failed',
  'second_factor_failed',
  'signed_out',
  'signed_out_everywhere',
  'session_ended',
  'other_sessions_ended',
  'reauthenticated',
  'authenticator_enrolled',
  'authenticator_removed',
  'passkey_added',
  'passkey_removed',
  'recovery_codes_made',
  'recovery_code_used',
  'email_factor_changed',
  'password_changed',
  'password_reset_requested',
  'password_reset',
  'email_change_requested',
  'email_changed',
  'upstream_linked',
  'upstream_unlinked',
  'nickname_changed',
  'account_disabled',
  'account_enabled',
  'sessions_ended_by_operator',
  'second_factors_reset',
  'money_frozen',
  'money_released',
  'account_closed',
  'application_allowed',
  'application_denied',
  'application_shut_out',
  'device_allowed',
  'device_denied',
  'token_exchanged',
  'payout_address_added',
  'payout_address_removed',
  'payout_requested',
  'data_exported',
] as const;

export type SecurityEventType = (typeof SECURITY_EVENTS)[number];

export interface NewSecurityEvent {
  readonly userId: number;
  readonly type: SecurityEventType;
  readonly origin: Pick<RequestOrigin, 'ip' | 'userAgent'>;
  /** No secrets; snake_case, as the API shows them. */
  readonly details?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

const USER_AGENT_MAX = 400;

/** What is encrypted under the key of the user. */
interface SealedContent {
  readonly ip: string;
  readonly user_agent: string;
  readonly details: Readonly<Record<string, unknown>>;
}

const LOG_EVENT = defineStatement(
  'identity-log-security-event',
  `insert into security_event
     (user_id, type, ip, user_agent, details, sealed, address_hash, created_at)
   values (:user_id, :type, '', '', '{}', :sealed, :address_hash, :now)`,
);

/** Writes an event in the transaction that causes it. */
export async function logSecurityEvent(
  tx: Transaction,
  clock: Clock,
  { userId, type, origin, details = {} }: NewSecurityEvent,
): Promise<void> {
  const now = clock.now();
  const userAgent = origin.userAgent.slice(0, USER_AGENT_MAX).toWellFormed();
  const content: SealedContent = { ip: origin.ip, user_agent: userAgent, details };
  await execute(tx, LOG_EVENT, {
    user_id: userId,
    type,
    sealed: await sealForUser(tx, userId, content, now),
    address_hash: hashUserAddress(tx, origin.ip, userId),
    now,
  });
}

export interface SecurityEvent {
  readonly id: number;
  readonly type: SecurityEventType;
  readonly ip: string;
  readonly user_agent: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly created_at: string;
}

type StoredEvent = Omit<SecurityEvent, 'created_at'> & {
  readonly created_at: Date;
  readonly sealed: Buffer | null;
};

/**
 * A sign-in to the console is an event already: that the console may act for its own user is no
 * decision of theirs.
 */
const SHOWN = `user_id = :user_id and not (type = 'application_allowed'
  and details ->> 'client_id' = '${CONSOLE_CLIENT_ID}')`;

/** A page of a user's events, newest first. */
export async function listSecurityEvents(
  db: Db,
  userId: number,
  { current, size }: { current: number; size: number },
) {
  const { rows: counts } = await queryNamed<{ total: number }>(
    db,
    `select count(*) as total from security_event where ${SHOWN}`,
    { user_id: userId },
  );
  const { rows } = await queryNamed<StoredEvent>(
    db,
    `select id, type, ip, user_agent, details, sealed, created_at from security_event
     where ${SHOWN} order by id desc limit :size offset :skipped`,
    { user_id: userId, size, skipped: (current - 1) * size },
  );
  const opened = await openOfUser<SealedContent>(
    db,
    userId,
    rows.map(({ sealed }) => sealed),
  );
  const records = rows.map(
    ({ sealed: _, ...row }, i): SecurityEvent => ({
      ...row,
      ...opened[i],
      created_at: row.created_at.toISOString(),
    }),
  );
  return { records, total: counts[0]?.total ?? 0 };
}

/** What the newest event of a type says of itself; undefined: none is kept, or none can be read. */
export async function readNewestDetails(
  db: Db,
  userId: number,
  type: SecurityEventType,
): Promise<SecurityEvent['details'] | undefined> {
  const { rows } = await queryNamed<Pick<StoredEvent, 'details' | 'sealed'>>(
    db,
    `select details, sealed from security_event
     where user_id = :user_id and type = :type order by id desc limit 1`,
    { user_id: userId, type },
  );
  const [row] = rows;
  if (!row) return undefined;
  const [opened] = await openOfUser<SealedContent>(db, userId, [row.sealed]);
  return opened?.details ?? row.details;
}
