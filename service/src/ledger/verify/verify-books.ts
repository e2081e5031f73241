/**
 * Replays all entries and compares what they give with everything that is stored: balances,
 * counters, holds, roll-ups.
 */
import type { Db } from '../../db/index.ts';
import { BLOCK, EVERY_ENTRY, EVERY_TRANSFER, MISSHAPEN_PACKS } from '../packed-entries.ts';
import { SHARDS } from '../wallet-ids.ts';
import type { Finding, Findings } from './findings.ts';

/** A check of stored rows by one statement. */
export interface BookCheck {
  readonly check: Finding['check'];
  /** Gives `row` and `detail` of what is wrong. */
  readonly sql: string;
}

/**
 * Accounts that are not what their owner, kind and currency say.
 * @param accounts a table with the columns of `account`
 */
export const misdescribedAccounts = (accounts: string): BookCheck => ({
  check: 'balances',
  sql: `select 'account ' || a.wallet_id || '/' || a.currency_id as row,
      'is not what its owner, kind and currency say' as detail
    from ${accounts} a left join wallet_kind k on k.id = a.kind_id
      left join app_user u on u.id = a.user_id left join currency c on c.id = a.currency_id
    where k.id is null or c.id is null or (u.id is null) <> k.is_house
      or (a.guarded <> k.is_house) is not true or (a.user_id is null) <> k.is_house
      or a.wallet_id is distinct from case when k.is_house
        then -(k.id * 16 + (~a.wallet_id) % 16 + 1) else a.user_id::numeric * 32 + k.id end
      or a.closed is distinct from coalesce(u.status = 'closed', false)
      or a.overdrawn is distinct from (a.guarded and a.credits - a.debits - a.held < 0)
    order by a.wallet_id, a.currency_id limit 20`,
});

/**
 * Holds that do not agree with their steps.
 * @param holds a table with the columns of `hold`
 */
export const disagreeingHolds = (holds: string): BookCheck => ({
  check: 'holds',
  sql: `select 'hold ' || h.id as row, case when p.id is null then 'was never placed'
      else 'does not agree with its steps' end as detail
    from ${holds} h left join hold_step p on p.id = h.id and p.kind = 'place'
      left join lateral (
        select sum(amount) filter (where kind <> 'place') as gone, max(created_at) as updated_at,
          case when count(*) filter (where kind = 'cancel') > 0 then 'cancelled'
            when count(*) filter (where kind = 'expire') > 0 then 'expired'
            when sum(amount) filter (where kind <> 'place') = max(amount) filter
              (where kind = 'place') then 'settled' else 'open' end as state
        from hold_step where hold_id = h.id
      ) s on true
    where p.id is null or (h.amount, h.remaining, h.state, h.created_at, h.updated_at)
      is distinct from (p.amount, p.amount - coalesce(s.gone, 0), s.state, p.created_at,
        s.updated_at)
    order by h.id limit 20`,
});

/** Every transfer debits one account and credits another. */
export const SUM_IS_ZERO: BookCheck = {
  check: 'sum',
  sql: `select 'currency ' || c.code as row,
      'credits minus debits is ' || sum(a.credits - a.debits) || ', not 0' as detail
    from account a join currency c on c.id = a.currency_id group by c.code
      having sum(a.credits - a.debits) <> 0 order by c.code`,
};

const CHECKS: readonly BookCheck[] = [
  {
    check: 'entries',
    sql: `select 'entry ' || e.wallet_id || '/' || e.position as row,
      'belongs to no transfer' as detail
      from ${EVERY_ENTRY} e left join ${EVERY_TRANSFER} t on t.id = e.transfer_id
      where t.id is null or not case e.direction when 2
        then (t.debit_wallet, t.debit_position) = (e.wallet_id, e.position)
        when 1 then (t.credit_wallet, t.credit_position) = (e.wallet_id, e.position) else false end
      order by e.wallet_id, e.position limit 20`,
  },
  {
    check: 'entries',
    sql: `select 'entry_pack ' || wallet_id || '/' || block as row,
      'has lists that do not belong together' as detail
      from (${MISSHAPEN_PACKS}) p order by wallet_id, block limit 20`,
  },
  {
    check: 'entries',
    // The packs of people are copies: those of the house are compared with the seals.
    sql: `select 'entry ' || e.wallet_id || '/' || e.position as row,
      'is packed as something else than transfer ' || t.id as detail
      from ${EVERY_ENTRY} e join ${EVERY_TRANSFER} t on t.id = e.transfer_id
      where e.event_at is not null and (e.amount, e.created_at, e.currency_id, e.business_id,
          e.other_wallet, e.event_at, e.reward_type, e.node_id)
        is distinct from (t.amount, t.created_at, t.currency_id, t.business_id,
          case e.direction when 1 then t.debit_wallet else t.credit_wallet end, t.event_at,
          t.reward_type, t.node_id)
      order by e.wallet_id, e.position limit 20`,
  },
  {
    check: 'entries',
    sql: `select 'entry ' || wallet_id || '/' || position as row,
      case when position <> before::numeric + 1 then 'does not follow the one before it'
          when seq <> place then 'has the wrong seq' when balance_after <> running
            then 'has the wrong balance_after' else 'is older than the one before it' end as detail
      from (
        select wallet_id, position, seq, balance_after, created_at, lag(position, 1, 0::bigint)
          over wallet as before, lag(created_at) over wallet as created_before,
          row_number() over account as place, sum(case direction when 1 then amount
            else -amount end) over account as running
        from ${EVERY_ENTRY} e window wallet as (partition by wallet_id order by position),
          account as (partition by wallet_id, currency_id order by position)
      ) e where position <> before::numeric + 1 or seq <> place or balance_after <> running
        or created_at < created_before
      order by wallet_id, position limit 20`,
  },
  {
    check: 'balances',
    sql: `select 'account ' || wallet_id || '/' || currency_id as row,
      'does not agree with its entries' as detail
      from account a full join (
        select e.wallet_id, e.currency_id, count(*) as seq,
          coalesce(sum(e.amount) filter (where e.direction = 2), 0) as debits,
          coalesce(sum(e.amount) filter (where e.direction = 1), 0) as credits,
          coalesce(sum(case when e.direction = 1 then e.amount else -e.amount end * b.credit_sign)
            filter (where b.counter = 'deposited' and e.wallet_id > 0), 0) as deposited,
          coalesce(sum(case when e.direction = 1 then e.amount else -e.amount end * b.credit_sign)
            filter (where b.counter = 'withdrawn' and e.wallet_id > 0), 0) as withdrawn,
          max(e.created_at) as posted_at
        from ${EVERY_ENTRY} e left join transaction_type b on b.id = e.business_id group by 1, 2
      ) n using (wallet_id, currency_id)
      left join (
        select h.wallet_id, h.currency_id, max(s.created_at) as held_at from hold h
          join hold_step s on s.hold_id = h.id group by 1, 2
      ) h using (wallet_id, currency_id)
      where a.seq is null or (a.seq, a.debits, a.credits, a.deposited, a.withdrawn)
        is distinct from (coalesce(n.seq, 0), coalesce(n.debits, 0), coalesce(n.credits, 0),
          coalesce(n.deposited, 0), coalesce(n.withdrawn, 0))
        or a.posted_at is distinct from greatest('epoch', n.posted_at, h.held_at)
      order by wallet_id, currency_id limit 20`,
  },
  misdescribedAccounts('account'),
  disagreeingHolds('hold'),
  {
    check: 'holds',
    sql: `select 'account ' || wallet_id || '/' || currency_id as row,
      'holds something else than its open holds' as detail
      from account a full join (select wallet_id, currency_id, sum(remaining) as held from hold
        group by 1, 2) h using (wallet_id, currency_id)
      where a.held is null or a.held <> coalesce(h.held, 0) order by wallet_id, currency_id
        limit 20`,
  },
  SUM_IS_ZERO,
  {
    check: 'roll-ups',
    sql: `select 'earning_day ' || concat_ws('/', user_id, day, currency_id, reward_type,
      node_id) as row, 'does not agree with the bills' as detail
      from earning_day d full join (
        select e.wallet_id / 32 as user_id,
          (coalesce(e.event_at, t.event_at) at time zone 'UTC')::date as day, e.currency_id,
          coalesce(e.reward_type, t.reward_type, '') as reward_type,
          coalesce(e.node_id, t.node_id, '') as node_id, sum(case e.direction when 1 then e.amount
            else -e.amount end) as amount
        from ${EVERY_ENTRY} e left join transfer t on t.id = e.transfer_id
          join transaction_type b on b.id = e.business_id and b.is_earning
        where e.wallet_id > 0 group by 1, 2, 3, 4, 5
      ) n using (user_id, day, currency_id, reward_type, node_id)
      where d.amount is distinct from n.amount order by user_id, day limit 20`,
  },
  {
    check: 'roll-ups',
    sql: `select 'earning_total ' || concat_ws('/', user_id, kind_id, currency_id,
      reward_type) as row, 'does not agree with the bills' as detail
      from earning_total d full join (
        select e.wallet_id / 32 as user_id, (e.wallet_id % 32)::smallint as kind_id, e.currency_id,
          coalesce(e.reward_type, t.reward_type, '') as reward_type,
          sum(case e.direction when 1 then e.amount else -e.amount end) as amount
        from ${EVERY_ENTRY} e left join transfer t on t.id = e.transfer_id
          join transaction_type b on b.id = e.business_id and b.is_earning
        where e.wallet_id > 0 group by 1, 2, 3, 4
      ) n using (user_id, kind_id, currency_id, reward_type)
      where d.amount is distinct from n.amount order by user_id, kind_id limit 20`,
  },
  {
    check: 'roll-ups',
    sql: `select 'entry_count_block ' || concat_ws('/', wallet_id, block, currency_id, business_id,
      direction) as row, 'does not agree with the entries' as detail
      from entry_count_block b full join (
        select e.wallet_id, (greatest(e.position, 1) - 1) / ${BLOCK} as block, e.currency_id,
          e.business_id, e.direction, count(*)::int as entries
        from ${EVERY_ENTRY} e join (select wallet_id, sum(seq) as entries from account group by 1) a
          on a.wallet_id = e.wallet_id
        where e.position <= div(a.entries, ${BLOCK}) * ${BLOCK} group by 1, 2, 3, 4, 5
      ) n using (wallet_id, block, currency_id, business_id, direction)
      where b.entries is distinct from n.entries order by wallet_id, block limit 20`,
  },
  {
    check: 'roll-ups',
    sql: `with days as (
        select (-wallet_id - 1) / ${SHARDS} as kind_id, currency_id,
          (created_at at time zone 'UTC')::date as day,
          sum(sum(case direction when 1 then amount else -amount end)) over (
            partition by (-wallet_id - 1) / ${SHARDS}, currency_id
            order by (created_at at time zone 'UTC')::date) as balance
        from ${EVERY_ENTRY} e where wallet_id < 0 group by 1, 2, 3
      )
      select 'house_balance_day ' || concat_ws('/', h.kind_id, h.day, h.currency_id) as row,
        'does not agree with the entries' as detail
      from house_balance_day h left join lateral (
        select balance from days d where d.kind_id = h.kind_id and d.currency_id = h.currency_id
          and d.day <= h.day order by d.day desc limit 1
      ) n on true
      where h.balance is distinct from coalesce(n.balance, 0) order by h.day limit 20`,
  },
];

export async function verifyBooks(db: Db, findings: Findings): Promise<void> {
  for (const { check, sql } of CHECKS) {
    for (const { row, detail } of (await db.query<{ row: string; detail: string }>(sql)).rows)
      findings.add(check, row, detail);
  }
}
