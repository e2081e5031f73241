/** An attempt with a code or factor: counted by its limits first, refunded when it succeeds. */
import { defineStatement, execute, type Transaction, transaction } from '../db/index.ts';
import { assertWithinRateLimit, toCounterRow } from '../http/index.ts';
import { failure } from '../lib/failures.ts';
import { toSubnet } from '../lib/rate-limit-subnet.ts';
import type { IdentityContext } from './context.ts';
import { hashAddress } from './erasure/person-keys.ts';
import { IS_KNOWN_ADDRESS, knownSince, type RateLimitKey, subjectOf } from './limits.ts';
import { IS_LIVE, liveValues, type PresentedTicket } from './tickets.ts';

/** Both counters of an account for one limit: of a known address, and of all others. */
export function accountCounters(
  { database, clock, limits }: IdentityContext,
  name: RateLimitKey[0],
  { emailKey, ip }: { emailKey: string; ip: string },
) {
  const toKey = (isKnown: boolean): RateLimitKey => [name, subjectOf(emailKey, ip, isKnown)];
  const known = limits.counterOf(toKey(true));
  const row = toCounterRow(clock, known);
  return {
    toKey,
    limit: known.limit,
    values: {
      ip,
      ip_hash: hashAddress(database, ip),
      known_since: knownSince(clock),
      known_subject: row.subject,
      unknown_subject: toCounterRow(clock, limits.counterOf(toKey(false))).subject,
      account_window_start: row.window_start,
    },
  };
}

/** Counts on the account's counter; `is_known` is a column. */
export const CONSUME_BY_ACCOUNT = `rate_limit_consume(
       case when is_known then :known_subject else :unknown_subject end, :account_window_start)`;

const CONSUME_ACCOUNT_LIMIT = defineStatement(
  'identity-consume-account-limit',
  `with known as materialized (select exists (
     select 1 from app_user u where u.email_key = :email_key and ${IS_KNOWN_ADDRESS}) as is_known)
   select is_known, ${CONSUME_BY_ACCOUNT} as hits from known`,
);

/** Counts an attempt on an account. @returns the key for the refund @throws `rate_limited` */
export async function consumeAccountLimit(
  context: IdentityContext,
  name: RateLimitKey[0],
  account: { readonly emailKey: string; readonly ip: string },
): Promise<RateLimitKey> {
  const { toKey, limit, values } = accountCounters(context, name, account);
  const { rows } = await execute<{ is_known: boolean; hits: number }>(
    context.database,
    CONSUME_ACCOUNT_LIMIT,
    { ...values, email_key: account.emailKey },
  );
  assertWithinRateLimit(context.clock, limit, rows[0]?.hits ?? 1);
  return toKey(rows[0]?.is_known ?? false);
}

export interface TicketAttempt {
  readonly userId: number;
  readonly limitKeys: readonly RateLimitKey[];
}

// The account's counter counts only attempts within the limit of the address, with a live ticket
// that follows a verified password or mailbox: anyone can start a reset of another's password, and
// must not use up the owner's attempts by it.
const START_TICKET_ATTEMPT = defineStatement(
  'identity-start-ticket-attempt',
  `with by_ip as materialized (select rate_limit_consume(:ip_subject, :ip_window_start) as hits),
   found as materialized (
     select user_id, (
       select ${IS_KNOWN_ADDRESS} from app_user u where u.id = user_id) as is_known
     from ticket where ${IS_LIVE} and user_id is not null
       and (purpose <> 'reset' or code_used_at is not null))
   select by_ip.hits as ip_hits, user_id, is_known,
     case when by_ip.hits <= :ip_hits_max and user_id is not null then ${CONSUME_BY_ACCOUNT}
     end as account_hits
   from by_ip left join found on true`,
);

type AttemptRow = {
  ip_hits: number;
  user_id: number | null;
  is_known: boolean | null;
  account_hits: number | null;
};

/**
 * Counts an attempt with a second factor on address and account, and finds the user of the
 * ticket. The ticket of a reset must have its mailbox verified.
 * @throws `invalid_ticket`, `rate_limited`
 */
export async function startTicketAttempt(
  context: IdentityContext,
  presented: PresentedTicket,
  ip: string,
): Promise<TicketAttempt> {
  const { database, clock, limits } = context;
  const { emailKey } = presented;
  const ipKey: RateLimitKey = ['factor-ip', toSubnet(ip)];
  const byIp = limits.counterOf(ipKey);
  const ipRow = toCounterRow(clock, byIp);
  const { toKey, limit, values } = accountCounters(context, 'factor-account', { emailKey, ip });
  const { rows } = await execute<AttemptRow>(database, START_TICKET_ATTEMPT, {
    ...values,
    ...liveValues(clock.now(), presented),
    ip_subject: ipRow.subject,
    ip_window_start: ipRow.window_start,
    ip_hits_max: byIp.limit.hits,
  });
  const [row] = rows;
  assertWithinRateLimit(clock, byIp.limit, row?.ip_hits ?? 1);
  if (!row || row.user_id === null) throw failure('invalid_ticket');
  assertWithinRateLimit(clock, limit, row.account_hits ?? 1);
  return {
    userId: row.user_id,
    limitKeys: [ipKey, toKey(row.is_known === true)],
  };
}

/** A wrong code or factor leaves the attempts that the ticket still allows. */
export type AttemptOutcome<T> = { readonly done: T } | { readonly triesLeft: number };

/**
 * Runs an attempt that was counted, and refunds it when it succeeds. A wrong one commits, so that
 * the ticket counts it.
 * @throws `invalid_code` with `tries_left`
 */
export async function runAttempt<T>(
  { database, limits }: IdentityContext,
  limitKeys: readonly RateLimitKey[],
  attempt: (tx: Transaction) => Promise<AttemptOutcome<T>>,
): Promise<T> {
  const outcome = await transaction(database, attempt);
  if ('triesLeft' in outcome)
    throw failure('invalid_code', { extra: { tries_left: outcome.triesLeft } });
  await limits.refund(limitKeys);
  return outcome.done;
}
