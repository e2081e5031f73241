/** Counts a login attempt and loads the user with its factors, in one round trip. */
import { defineStatement, execute } from '../../db/index.ts';
import { assertWithinRateLimit, toCounterRow } from '../../http/index.ts';
import { toSubnet } from '../../lib/rate-limit-subnet.ts';
import type { IdentityContext } from '../context.ts';
import { IS_KNOWN_ADDRESS, type RateLimitKey } from '../limits.ts';
import { type Credentials, type CredentialsRow, toCredentials, USER_COLUMNS } from '../queries.ts';
import { accountCounters, CONSUME_BY_ACCOUNT } from '../run-attempt.ts';
import {
  FACTOR_COLUMNS,
  type FactorRow,
  type FactorState,
  toFactors,
} from '../second-factors/available-methods.ts';

export interface LoginAttempt {
  /** The counters of the attempt, for the refund when it succeeds. */
  readonly limitKeys: readonly [RateLimitKey, RateLimitKey];
  /** How far the attempts of address or account are beyond what people need. */
  readonly steps: number;
  /** Undefined for an address without an account. */
  readonly found?: { readonly user: Credentials; readonly factors: FactorState };
}

// An attempt that the address's limit refuses must not use up the limit of the account.
const START_ATTEMPT = defineStatement(
  'identity-start-login-attempt',
  `with found as materialized (
     select ${USER_COLUMNS}, password_hash, ${IS_KNOWN_ADDRESS} as is_known, ${FACTOR_COLUMNS}
     from app_user u left join user_security s on s.user_id = u.id
     where u.email_key = :email_key),
   by_ip as materialized (select rate_limit_consume(:ip_subject, :ip_window_start) as hits)
   select found.*, by_ip.hits as ip_hits,
     case when by_ip.hits <= :ip_hits_max then ${CONSUME_BY_ACCOUNT} end as account_hits
   from by_ip left join found on true`,
);

/** Wrong passwords that people type, and those of an office behind one address. */
const ACCOUNT_TYPOS = 5;
const IP_TYPOS = 20;

type Row = (CredentialsRow & FactorRow & { is_known: boolean }) | { id: null; is_known: null };
type Hits = { ip_hits: number; account_hits: number | null };

/** @throws `rate_limited` */
export async function startLoginAttempt(
  context: IdentityContext,
  emailKey: string,
  ip: string,
): Promise<LoginAttempt> {
  const { database, clock, limits } = context;
  const ipKey: RateLimitKey = ['login-ip', toSubnet(ip)];
  const byIp = limits.counterOf(ipKey);
  const ipRow = toCounterRow(clock, byIp);
  const { toKey, limit, values } = accountCounters(context, 'login-account', { emailKey, ip });
  const { rows } = await execute<Row & Hits>(database, START_ATTEMPT, {
    ...values,
    email_key: emailKey,
    ip_subject: ipRow.subject,
    ip_window_start: ipRow.window_start,
    ip_hits_max: byIp.limit.hits,
  });
  const [row] = rows;
  assertWithinRateLimit(clock, byIp.limit, row?.ip_hits ?? 1);
  assertWithinRateLimit(clock, limit, row?.account_hits ?? 1);
  const limitKeys = [ipKey, toKey(row?.is_known ?? false)] as const;
  const scale = context.config.RATE_LIMIT_SCALE;
  const steps = Math.max(
    0,
    (row?.account_hits ?? 0) - ACCOUNT_TYPOS * scale,
    (row?.ip_hits ?? 0) - IP_TYPOS * scale,
  );
  return row && row.id !== null
    ? { limitKeys, steps, found: { user: toCredentials(row), factors: toFactors(row) } }
    : { limitKeys, steps };
}
