/**
 * Referral rewards of an hour: what the people whom somebody brought earned, by level, in addition to it. One line per
 * referrer and level; a referee whose reward is held has a line of its own, so that it can be released alone.
 */
import { MILLION } from './rules.ts';

/** Releases that were not computed yet: they will pay whatever is held until then. */
export const WAITING_RELEASES =
  "select referee_id from reward_batch where kind = 'release' and state = 'open'";

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

const NOT_REFUSED =
  'not exists (select from reward_refusal r where r.batch_id = l.batch_id and r.leaf = l.leaf)';
const EARNED = "l.level = 0 and l.status = 'paid' and l.reward_type <> 'PENALTY'";

/** What each referee earned: all of the batch, or for a correction all of the hour by everybody below the same referrers. */
const BASE_OF_BATCH = `base as materialized (select l.user_id, sum(l.amount) as amount from reward_line l where l.batch_id = $1 and ${EARNED} group by l.user_id),
  line_of_descent as (${ancestors('a.id in (select user_id from base)')})`;
const BASE_OF_HOUR = `pair as (select distinct level, referrer from (${ancestors('a.id = any($7::bigint[])')}) as up),
  line_of_descent as materialized (${DESCENDANTS}),
  base as materialized (select l.user_id, sum(l.amount) as amount from reward_line l
    where l.hour = $2 and ${EARNED} and ${NOT_REFUSED} and l.user_id in (select referee from line_of_descent) group by l.user_id)`;

/** What was settled of the hour before, by thread: what a referrer gets of a level (referee 0), or of one referee who was held. */
const PAST = `select l.user_id, l.level, coalesce(l.referee_id, 0) as referee,
      sum(l.amount) filter (where l.status = 'held') as held, sum(l.amount) filter (where l.status = 'paid' and r.code is null) as paid,
      max(l.quantity) filter (where l.reason = 'account_not_active') as inactive, max(l.quantity) filter (where l.reason = 'gate_not_passed') as gated
    from reward_line l left join reward_refusal r on r.batch_id = l.batch_id and r.leaf = l.leaf
    where l.hour = $2 and l.level > 0 and l.user_id in (select referrer from line_of_descent) group by 1, 2, 3`;
const NO_PAST = `select 0::bigint as user_id, 0 as level, 0::bigint as referee, 0::numeric as held, 0::numeric as paid, 0::numeric as inactive, 0::numeric as gated
    where false`;

/**
 * Who counts is judged once: a referrer who was seen in the hour as then, a referee who was held apart as then, and who
 * was not held in that hour is not held for it later. Only what was never seen is judged as it stands.
 */
const JUDGED = `select d.referrer, d.level, d.referee, b.amount, s.millionths, r.released_at is not null and w.referee_id is null as is_released,
      case when coalesce(seen.was_inactive, u.status <> 'active') then 'account_not_active'
        when coalesce(case d.level when 1 then r.counts_from_1 when 2 then r.counts_from_2 else r.counts_from_3 end > $2, true) then 'gate_not_passed'
        when r.held_at <= $2 and (apart.user_id is not null or r.released_at is null) then r.hold_reason end as reason
    from line_of_descent d join base b on b.user_id = d.referee join share s on s.level = d.level join app_user u on u.id = d.referrer
      left join reward_user r on r.user_id = d.referee left join waiting w on w.referee_id = d.referee left join seen on seen.user_id = d.referrer
      left join past apart on apart.user_id = d.referrer and apart.level = d.level and apart.referee = d.referee
    where b.amount > 0`;

const FOUND = `select referrer, level, 0::bigint as referee, sum(amount) as quantity, millionths, div(sum(amount) * millionths, ${MILLION}) as target,
      'paid' as status, null::text as reason from judged where reason is null group by 1, 2, 5
    union all
    select referrer, level, referee, amount, millionths, div(amount * millionths, ${MILLION}), case when is_released then 'paid' else 'held' end, reason
      from judged where reason like 'shared_%'
    union all
    select referrer, level, 0, sum(amount), millionths, 0, 'rejected', reason
      from judged where reason in ('account_not_active', 'gate_not_passed') group by 1, 2, 5, reason`;

/**
 * The query. Columns: user_id, level, referee_id, quantity, rate, target, settled_before, status, reason.
 * Parameters: $1 batch, $2 hour, $5 levels, $6 millionths, $7 referees of a correction.
 */
export function referralLines(mode: 'hour' | 'correction'): string {
  return `given as (select $1::bigint, $7::bigint[]),
  ${mode === 'hour' ? BASE_OF_BATCH : BASE_OF_HOUR},
  share as (select * from unnest($5::int[], $6::numeric[]) as s (level, millionths)),
  past as materialized (${mode === 'hour' ? NO_PAST : PAST}),
  seen as (select user_id, bool_or(inactive is not null) as was_inactive from past group by 1),
  waiting as (${WAITING_RELEASES}),
  judged as materialized (${JUDGED}),
  found as (${FOUND}),
  compared as (
    select f.*, p.user_id is null as is_first, case f.status when 'paid' then coalesce(p.paid, 0) when 'held' then coalesce(p.held, 0) else 0 end as settled_before,
      case f.reason when 'account_not_active' then p.inactive when 'gate_not_passed' then p.gated end as rejected_before
    from found f left join past p on p.user_id = f.referrer and p.level = f.level and p.referee = f.referee),
  referral as (
    select referrer as user_id, level, nullif(referee, 0) as referee_id, quantity, millionths as rate, target, settled_before,
      case when target = settled_before then 'rejected' else status end as status, coalesce(reason, case when target = 0 then 'too_small' end) as reason
    from compared
    where case when status = 'rejected' then quantity > coalesce(rejected_before, 0) else is_first or target <> settled_before end)`;
}
