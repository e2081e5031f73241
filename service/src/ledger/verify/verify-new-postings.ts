/**
 * Compares what was posted after a place in the chain with everything that it changed: entries,
 * accounts, holds, keys. What it reads grows with what was posted since, not with the ledger.
 */
import { type Db, defineStatement, executeUnprepared } from '../../db/index.ts';
import { entryAt, entryBefore, packedLike, packedTransferById } from '../packed-entries.ts';
import type { Finding, Findings } from './findings.ts';
import { disagreeingHolds, misdescribedAccounts, SUM_IS_ZERO } from './verify-books.ts';
import type { Walk } from './verify-rows.ts';

/** Rows of the chain by their ids, which are n * 16 + shard + 1 (wallet-ids.ts). */
const newRows = (table: string, first: string, past: string): string => `select r.*
    from unnest(:shards::int[], :${first}::bigint[], :${past}::bigint[]) as s (shard, first, past)
      cross join lateral generate_series(s.first, s.past - 1) as n
      join ${table} r on r.id = n * 16 + s.shard + 1`;

/** What the checks read of a transfer. */
const FRESH =
  'id, debit_wallet, debit_position, credit_wallet, credit_position, idempotency_key, ' +
  'created_at, event_at, reward_type, node_id';

/**
 * After a place that is months old some rows may stand in packs: those that are not found are
 * looked for there, one by one. Of a younger place none are.
 */
const WITH = `with fresh_row as materialized (
    ${newRows('transfer', 'first_transfers', 'past_transfers')}),
  fresh as materialized (
    select ${FRESH} from fresh_row
    union all
    select t.* from (
      select n * 16 + s.shard + 1 as id
      from unnest(:shards::int[], :first_transfers::bigint[], :past_transfers::bigint[])
          as s (shard, first, past)
        cross join lateral generate_series(s.first, s.past - 1) as n
      where exists (select from entry_pack)
      except all select id from fresh_row
    ) gone cross join lateral (
      select ${FRESH} from ${packedTransferById('gone.id')} p) t),
  step as materialized (${newRows('hold_step', 'first_steps', 'past_steps')}),
  leg_row as materialized (
    select wallet_id, position, e.seq, e.currency_id, e.created_at, e.balance_after, e.direction,
      e.amount
    from (
      select debit_wallet as wallet_id, debit_position as position from fresh
      union all select credit_wallet, credit_position from fresh
    ) l left join entry e using (wallet_id, position)),
  leg as materialized (
    select wallet_id, position, seq, currency_id, created_at, balance_after,
      case direction when 1 then amount else -amount end as change
    from (
      select * from leg_row where seq is not null
      union all
      select l.wallet_id, l.position, e.seq, e.currency_id, e.created_at, e.balance_after,
        e.direction, e.amount
      from leg_row l cross join lateral ${entryAt('l.wallet_id', 'l.position')} e
      where l.seq is null
    ) found),
  last_leg as materialized (
    select distinct on (wallet_id, currency_id) * from leg
      order by wallet_id, currency_id, position desc),
  last_of_wallet as materialized (
    select wallet_id, max(position) as position from leg group by wallet_id),
  touched as materialized (
    select a.* from last_leg l join account a using (wallet_id, currency_id)),
  touched_hold as materialized (
    select h.* from (select distinct hold_id as id from step) s join hold h using (id))`;

/**
 * Each new entry follows the one before it, in its wallet and in its account. Only of the first new
 * ones that stands among the old entries, where each is looked for apart.
 */
const ENTRIES = `with chained as materialized (
    select *, lag(position) over wallet as position_before, lag(seq) over account as seq_before,
      lag(created_at) over wallet as created_before,
      lag(balance_after) over account as balance_before
    from leg window wallet as (partition by wallet_id order by position),
      account as (partition by wallet_id, currency_id order by position)),
  followed as (
    select wallet_id, position, seq, balance_after, change, created_at,
      position_before, seq_before, created_before, balance_before
    from chained where position_before is not null and seq_before is not null
    union all
    select l.wallet_id, l.position, l.seq, l.balance_after, l.change, l.created_at,
      coalesce(l.position_before, w.position, 0), coalesce(l.seq_before, a.seq, 0),
      coalesce(l.created_before, w.created_at), coalesce(l.balance_before, a.balance_after, 0)
    from chained l
      left join lateral ${entryBefore('l.wallet_id', 'l.position')} w on true
      left join lateral ${entryBefore('l.wallet_id', 'l.position', 'l.currency_id')} a on true
    where l.position_before is null or l.seq_before is null)
  select 'entry ' || wallet_id || '/' || position as row,
    case when position <> position_before + 1 then 'does not follow the one before it'
      when seq <> seq_before + 1 then 'has the wrong seq'
      when balance_after <> balance_before + change then 'has the wrong balance_after'
      else 'is older than the one before it' end as detail
  from followed
  where position <> position_before + 1 or seq <> seq_before + 1
    or balance_after <> balance_before + change or created_at < created_before
  order by wallet_id, position limit 20`;

/** An account stands where its last new entry left it. */
const BALANCES = `select 'account ' || l.wallet_id || '/' || l.currency_id as row,
    'does not agree with its entries' as detail
  from last_leg l left join touched a using (wallet_id, currency_id)
  where (a.seq = l.seq and a.credits - a.debits = l.balance_after
      and a.posted_at >= l.created_at) is not true
  order by l.wallet_id, l.currency_id limit 20`;

/** Nothing stands behind the last new entry of a wallet. */
const BEHIND = `select 'entry ' || e.wallet_id || '/' || e.position as row,
    'belongs to no transfer' as detail
  from last_of_wallet l cross join lateral (
    select o.wallet_id, o.position from entry o
    where o.wallet_id = l.wallet_id and o.position > l.position
    order by o.position limit 1) e
  order by e.wallet_id, e.position limit 20`;

const HELD = `select 'account ' || h.wallet_id || '/' || h.currency_id as row,
    'holds something else than its open holds' as detail
  from (select distinct wallet_id, currency_id from touched_hold) h
    left join account a using (wallet_id, currency_id)
    cross join lateral (
      select coalesce(sum(o.remaining), 0) as held from hold o
      where o.wallet_id = h.wallet_id and o.currency_id = h.currency_id) o
  where a.held is distinct from o.held
  order by h.wallet_id, h.currency_id limit 20`;

const LOST_HOLDS = `select 'hold ' || s.hold_id as row, 'is missing' as detail
  from (select distinct hold_id from step) s left join hold h on h.id = s.hold_id
  where h.id is null order by s.hold_id limit 20`;

/**
 * Bills of rewards that are posted long after their time, as one that is paid again is: what is
 * packed is older than 30 days, and no index has its key.
 */
const PAID_AGAIN = `select 'transfer ' || f.id, 'has the key of transfer ' || p.id
  from (
      select *, greatest(debit_wallet, credit_wallet) as wallet_id from fresh
      where event_at < created_at - interval '30 days' and reward_type is not null
    ) f cross join lateral ${packedLike('f')} p
  where p.id <> f.id and p.idempotency_key = f.idempotency_key`;

/** A key that another row has, too. */
const KEYS = `select 'transfer ' || f.id as row, 'has the key of another row' as detail
  from fresh f where 1 < (
      select count(*) from transfer t where t.idempotency_key = f.idempotency_key)
    or exists (select from refused_posting r where r.idempotency_key = f.idempotency_key)
  union all
  select 'hold_step ' || s.id, 'has the key of another row'
  from step s where 1 < (
      select count(*) from hold_step o where o.idempotency_key = s.idempotency_key)
    or exists (select from refused_posting r where r.idempotency_key = s.idempotency_key)
  union all
  ${PAID_AGAIN}
  limit 20`;

const CHECKS: readonly (readonly [check: Finding['check'], sql: string])[] = [
  ['keys', KEYS],
  ['entries', ENTRIES],
  ['entries', BEHIND],
  ['balances', BALANCES],
  ['balances', misdescribedAccounts('touched').sql],
  ['holds', LOST_HOLDS],
  ['holds', disagreeingHolds('touched_hold').sql],
  ['holds', HELD],
  ['sum', SUM_IS_ZERO.sql],
];

/** All checks at once, so that the new rows are read once. */
const VERIFY = defineStatement(
  'verify_new_postings',
  `${WITH} ${CHECKS.map(
    ([check, sql]) => `select '${check}' as check, found.* from (${sql}) found`,
  ).join(' union all ')}`,
);

/**
 * @param from where each shard stood
 * @param to where each shard stands now
 */
export async function verifyNewPostings(
  db: Db,
  findings: Findings,
  from: readonly Walk[],
  to: readonly Walk[],
): Promise<void> {
  const { rows } = await executeUnprepared<Finding>(db, VERIFY, {
    shards: from.map(({ shard }) => shard),
    first_transfers: from.map(({ transfers }) => transfers),
    past_transfers: to.map(({ transfers }) => transfers),
    first_steps: from.map(({ steps }) => steps),
    past_steps: to.map(({ steps }) => steps),
  });
  for (const { check, row, detail } of rows) findings.add(check, row, detail);
}
