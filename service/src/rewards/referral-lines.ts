/**
 * Referral rewards of an hour: what the people whom somebody brought earned, by level, in addition to it. One line per
 * referrer and level; a referee whose reward is held has a line of its own, so that it can be released alone.
 */
import { MILLION } from './rules.ts';

/** $7: the referees to look at (a correction), or null. Their referrers, up to three levels. */
function ancestors(referees: string): string {
  return `select 1 as level, a.referrer_id as referrer, a.id as referee from app_user a where a.referrer_id is not null and ${referees}
    union all
    select 2, b.referrer_id, a.id from app_user a join app_user b on b.id = a.referrer_id where b.referrer_id is not null and ${referees}
    union all
    select 3, c.referrer_id, a.id from app_user a join app_user b on b.id = a.referrer_id join app_user c on c.id = b.referrer_id
      where c.referrer_id is not null and ${referees}`;
}

const DESCENDANTS = `select p.level, p.referrer, a.id as referee from pair p join app_user a on a.referrer_id = p.referrer where p.level = 1
    union all
    select p.level, p.referrer, a.id from pair p join app_user b on b.referrer_id = p.referrer join app_user a on a.referrer_id = b.id where p.level = 2
    union all
    select p.level, p.referrer, a.id from pair p join app_user c on c.referrer_id = p.referrer join app_user b on b.referrer_id = c.id
      join app_user a on a.referrer_id = b.id where p.level = 3`;

const NOT_REFUSED = 'not exists (select from reward_refusal r where r.batch_id = l.batch_id and r.leaf = l.leaf)';
const EARNED = "l.level = 0 and l.status = 'paid' and l.reward_type <> 'PENALTY'";

/** What each referee earned: all of the batch, or for a correction all of the hour by everybody below the same referrers. */
const BASE_OF_BATCH = `base as materialized (select l.user_id, sum(l.amount) as amount from reward_line l where l.batch_id = $1 and ${EARNED} group by l.user_id),
  line_of_descent as (${ancestors('a.id in (select user_id from base)')})`;
const BASE_OF_HOUR = `pair as (select distinct level, referrer from (${ancestors('a.id = any($7::bigint[])')}) as up),
  line_of_descent as materialized (${DESCENDANTS}),
  base as materialized (select l.user_id, sum(l.amount) as amount from reward_line l
    where l.hour = $2 and ${EARNED} and ${NOT_REFUSED} and l.user_id in (select referee from line_of_descent) group by l.user_id)`;

const BEFORE = `select l.user_id, l.level, l.referee_id, sum(l.amount) as amount from reward_line l
    where l.hour = $2 and l.level > 0 and l.status = 'held' and l.user_id in (select referrer from line_of_descent) group by 1, 2, 3
    union all
    select l.user_id, l.level, null, sum(l.amount) from reward_line l
    where l.hour = $2 and l.level > 0 and l.status = 'paid' and ${NOT_REFUSED} and l.user_id in (select referrer from line_of_descent) group by 1, 2`;
const NOTHING_BEFORE = 'select 0::bigint as user_id, 0 as level, null::bigint as referee_id, 0::numeric as amount where false';

/**
 * The query. Columns: user_id, level, referee_id, quantity, rate, target, settled_before, status, reason.
 * Parameters: $1 batch, $2 hour, $5 levels, $6 millionths, $7 referees of a correction.
 */
export function referralLines(mode: 'hour' | 'correction'): string {
  return `given as (select $1::bigint, $7::bigint[]),
  ${mode === 'hour' ? BASE_OF_BATCH : BASE_OF_HOUR},
  share as (select * from unnest($5::int[], $6::numeric[]) as s (level, millionths)),
  judged as (
    select d.referrer, d.level, d.referee, b.amount, s.millionths,
      case when u.status <> 'active' then 'account_not_active'
        when coalesce(case d.level when 1 then r.counts_from_1 when 2 then r.counts_from_2 else r.counts_from_3 end > $2, true) then 'gate_not_passed'
        when r.hold_reason is not null and r.released_at is null then r.hold_reason end as reason
    from line_of_descent d join base b on b.user_id = d.referee join share s on s.level = d.level
      join app_user u on u.id = d.referrer left join reward_user r on r.user_id = d.referee
    where b.amount > 0),
  before as (${mode === 'hour' ? NOTHING_BEFORE : BEFORE}),
  found as (
    select referrer, level, null::bigint as referee, sum(amount) as quantity, millionths, div(sum(amount) * millionths, ${MILLION}) as target,
      'paid' as status, null::text as reason from judged where reason is null group by 1, 2, 5
    union all
    select referrer, level, referee, amount, millionths, div(amount * millionths, ${MILLION}), 'held', reason
      from judged where reason like 'shared_%'
    union all
    select referrer, level, null, sum(amount), millionths, 0, 'rejected', reason
      from judged where reason not like 'shared_%' and ${mode === 'hour' ? 'true' : 'false'} group by 1, 2, 5, reason),
  referral as (
    select f.referrer as user_id, f.level, f.referee as referee_id, f.quantity, f.millionths as rate, f.target, coalesce(b.amount, 0) as settled_before,
      case when f.target - coalesce(b.amount, 0) = 0 then 'rejected' else f.status end as status,
      coalesce(f.reason, case when f.target = 0 then 'too_small' end) as reason
    from found f left join before b on b.user_id = f.referrer and b.level = f.level and b.referee_id is not distinct from f.referee
    where b.user_id is null or f.target <> b.amount)`;
}
