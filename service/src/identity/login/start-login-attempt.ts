/** Counts an attempt to sign in and reads all that it has to know about the person, in one round trip. */
import { type Counter, checkHits, rowOf } from '../../http/index.ts';
import { networkOf } from '../../lib/rate-limit-subnet.ts';
import type { IdentityContext } from '../context.ts';
import { type Hit, IS_KNOWN_ADDRESS, knownSince, subjectOf } from '../limits.ts';
import { type Credentials, type CredentialsRow, toCredentials, USER_COLUMNS } from '../queries.ts';
import {
  FACTOR_COLUMNS,
  type FactorRow,
  type FactorState,
  toFactors,
} from '../second-factors/available-methods.ts';

export interface Attempt {
  /** What was counted, to be given back if the attempt succeeds. */
  readonly hits: readonly [Hit, Hit];
  /** Undefined for an address without an account. */
  readonly person?: { readonly user: Credentials; readonly factors: FactorState };
}

// The account's counter counts only what the address's lets pass: who is refused must not use up that of somebody else.
const BEGIN = `with found as materialized (
    select ${USER_COLUMNS}, password_hash, ${IS_KNOWN_ADDRESS} as is_known, ${FACTOR_COLUMNS}
    from app_user u left join user_security s on s.user_id = u.id where u.email_key = $1),
  first as materialized (select rate_limit_consume($4, $5) as hits)
  select found.*, first.hits as ip_hits,
    case when first.hits <= $6 then rate_limit_consume(case when found.is_known then $7 else $8 end, $9) end as account_hits
  from first left join found on true`;

type Row = (CredentialsRow & FactorRow & { is_known: boolean }) | { id: null; is_known: null };
type Counts = { ip_hits: number; account_hits: number | null };

/** @throws `rate_limited` */
export async function beginAttempt(
  { database, clock, limits }: IdentityContext,
  emailKey: string,
  ip: string,
): Promise<Attempt> {
  const network: Hit = ['login-ip', networkOf(ip)];
  const account = (isKnown: boolean): Hit => ['login-account', subjectOf(emailKey, ip, isKnown)];
  const counters: Counter[] = [network, account(true), account(false)].map(limits.counterOf);
  const [byIp, known, unknown] = counters as [Counter, Counter, Counter];
  const [knownSubject, window] = rowOf(clock, known);
  const { rows } = await database.prepared<Row & Counts>('begin-sign-in', BEGIN, [
    emailKey,
    ip,
    knownSince(clock),
    ...rowOf(clock, byIp),
    byIp.limit.hits,
    knownSubject,
    rowOf(clock, unknown)[0],
    window,
  ]);
  const row = rows[0];
  checkHits(clock, byIp.limit, row?.ip_hits ?? 1);
  checkHits(clock, known.limit, row?.account_hits ?? 1);
  const hits = [network, account(row?.is_known ?? false)] as const;
  return row && row.id !== null
    ? { hits, person: { user: toCredentials(row), factors: toFactors(row) } }
    : { hits };
}
