/**
 * A ledger of many users, written by SQL instead of postings: rows as postings leave them, without
 * seals. Everything that a read uses is present.
 */
import type { Db } from '../../src/db/index.ts';

/** A user whose reads are measured. */
export interface Earner {
  readonly userId: number;
  readonly bills: number;
}

/** Days over which the bills of all users are spread. */
const DAYS = 400;

/**
 * One row for each transfer: user, wallet, type and time. The n-th of a user is mostly a reward; a
 * debit is a hundredth of the credits before it. ETH is rare, and REFERRAL too.
 */
const TRANSFERS = `create temp table planned as
  with person as (
    select u.user_id, u.bills, m + 6 as n, $3::timestamptz - make_interval(days => ${DAYS})
      * (1 - m::float8 / (u.bills + 1)) as at
      from unnest($1::bigint[], $2::bigint[]) as u (user_id, bills)
        cross join lateral generate_series(1, u.bills) as m
  ), planned as (
    select *, case n % 20 when 0 then 'deposit' when 1 then 'withdrawal' when 2
      then 'package_purchase' when 3 then 'conversion_out'
        when 4 then 'conversion_in' when 5 then 'referral_reward' else 'reward' end as business,
      case when n % 20 in (0, 1, 2, 4, 6) then 1 else 2 end as kind, n % 20 not in (1, 2,
        3) as is_credit
    from person
  )
  select row_number() over (order by p.at, p.user_id) as id, p.user_id * 32 + p.kind as wallet,
    p.is_credit, b.id as business_id, p.at,
    -(case p.business when 'deposit' then 33 when 'withdrawal' then 34 when 'package_purchase'
      then 35 when 'conversion_in' then 36
        when 'conversion_out' then 36 else 32 end * 16 + p.n % 16 + 1) as house,
    (case when p.n % 50 = 0 then 2 when p.n % 97 = 0 and p.is_credit then 3
      else 1 end)::smallint as currency_id,
    case when p.is_credit then 1000 else 10 end::numeric as amount,
    case p.business when 'referral_reward' then 'REFERRAL' when 'reward'
      then (array['UPTIME', 'TRAFFIC', 'TASK', 'BONUS'])[p.n % 4 + 1] end as reward_type,
    case p.business when 'reward' then 'node-' || p.user_id || '-' || p.n / 4 % 20 end as node_id
  from planned p join transaction_type b on b.code = p.business`;

const LEGS = `create temp table leg as
  select *, row_number() over (partition by wallet order by id) as position, row_number()
    over account as seq,
    sum(case direction when 1 then amount else -amount end) over account as balance_after
  from (
    select id, wallet, currency_id, business_id, at, amount, case when is_credit then 1
      else 2 end::smallint as direction from planned
    union all select id, house, currency_id, business_id, at, amount, case when is_credit then 2
      else 1 end::smallint from planned
  ) l window account as (partition by wallet, currency_id order by id rows unbounded preceding)`;

const STATEMENTS: readonly string[] = [
  LEGS,
  `insert into entry (wallet_id, position, seq, transfer_id, created_at, currency_id, business_id,
    direction, amount, balance_after)
    select wallet, position, seq, id, at, currency_id, business_id, direction, amount, balance_after
      from leg order by id, direction desc`,
  `insert into transfer (id, debit_wallet, debit_position, credit_wallet, credit_position, event_at,
    created_at, currency_id, business_id,
      may_overdraw, amount, request_hash, idempotency_key, reward_type, node_id)
    select p.id, d.wallet, d.position, c.wallet, c.position, p.at - interval '1 hour', p.at,
      p.currency_id, p.business_id, false, p.amount, '\\x00',
      'filled:' || p.id, p.reward_type, p.node_id
    from planned p join leg d on d.id = p.id and d.direction = 2 join leg c on c.id = p.id
      and c.direction = 1 order by p.id`,
  `insert into account (wallet_id, user_id, seq, posted_at, currency_id, kind_id, guarded, debits,
    credits)
    select wallet, case when wallet > 0 then wallet / 32 end, count(*), max(at), currency_id,
      case when wallet > 0 then wallet % 32 else (-wallet - 1) / 16 end,
      wallet > 0, coalesce(sum(amount) filter (where direction = 2), 0),
        coalesce(sum(amount) filter (where direction = 1), 0)
    from leg group by wallet, currency_id
    on conflict (wallet_id, currency_id) do update set seq = excluded.seq, debits = excluded.debits,
      credits = excluded.credits, posted_at = excluded.posted_at`,
  `insert into entry_count_block (wallet_id, block, currency_id, business_id, direction, entries)
    select l.wallet, (l.position - 1) / 256, l.currency_id, l.business_id, l.direction, count(*)
    from leg l join (select wallet, count(*) / 256 * 256 as full_to from leg group by wallet) w
      on w.wallet = l.wallet and l.position <= w.full_to group by 1, 2, 3, 4, 5`,
  `insert into earning_day (user_id, day, currency_id, reward_type, node_id, amount)
    select wallet / 32, ((at - interval '1 hour') at time zone 'UTC')::date, currency_id,
      reward_type, coalesce(node_id, ''), sum(amount)
    from planned where reward_type is not null group by 1, 2, 3, 4, 5 order by 2, 1, 3, 4, 5`,
  `insert into earning_total (user_id, kind_id, currency_id, reward_type, amount)
    select wallet / 32, wallet % 32, currency_id, reward_type, sum(amount) from planned
      where reward_type is not null group by 1, 2, 3, 4`,
  `update ledger_shard set transfers = n.transfers
    from (select (id - 1) % 16 as shard, count(*) as transfers from planned group by 1) n
    where ledger_shard.shard = n.shard`,
  'drop table leg',
  'drop table planned',
];

/** Writes the transfers of these users; each gets the given number of bills. */
export async function fillLedger(db: Db, people: readonly Earner[], now: Date): Promise<void> {
  await db.query(TRANSFERS, [
    people.map(({ userId }) => userId),
    people.map(({ bills }) => bills),
    now,
  ]);
  for (const statement of STATEMENTS) await db.query(statement);
}

/** Full blocks of each shard of a long account of the house. */
const LONG_BLOCKS = 5_000;

/**
 * `fees` as it is after twenty million postings in another currency: one entry of ETH in its first
 * block, and counts of all blocks after that. The entries of these are not written.
 */
const LONG_ACCOUNT: readonly string[] = [
  `insert into entry (wallet_id, position, seq, transfer_id, created_at, currency_id, business_id,
    direction, amount, balance_after)
    select -(39 * 16 + shard + 1), 7, 1, shard + 1, $1, 3, 8, 1, 5, 5
    from generate_series(0, 15) as shard where $2::int > 0`,
  `insert into account (wallet_id, seq, posted_at, currency_id, kind_id, guarded, debits, credits)
    select -(39 * 16 + shard + 1), case currency when 3 then 1 else $2::int * 256 - 1 end, $1,
      currency, 39, false, 0, 5
    from generate_series(0, 15) as shard cross join unnest(array[1, 3]) as currency`,
  `insert into entry_count_block (wallet_id, block, currency_id, business_id, direction, entries)
    select -(39 * 16 + shard + 1), block, 1, 8, 1, case block when 0 then 255 else 256 end
    from generate_series(0, 15) as shard cross join generate_series(0, $2::int - 1) as block
      where $1::timestamptz is not null
    union all select -(39 * 16 + shard + 1), 0, 3, 8, 1, 1 from generate_series(0, 15) as shard`,
];

/** Writes a long account of the house: `fees`, which nothing else is posted to. */
export async function fillLongAccount(db: Db, now: Date): Promise<void> {
  for (const statement of LONG_ACCOUNT) await db.query(statement, [now, LONG_BLOCKS]);
}
