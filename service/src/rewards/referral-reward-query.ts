/**
 * Referral rewards of an hour: a share of what referees earned, by level, paid in addition to it.
 * One line per referrer and level; a referee whose reward is held has a line of its own, so that it
 * can be released alone.
 */
import { inBucket, type LinesMode } from './online-device-query.ts';
import { MILLION, type ReferralLevel } from './rules.ts';

/** Releases that are not computed yet: they will pay all that is held until then. */
export const OPEN_RELEASES =
  "select referee_id from reward_batch where kind = 'release' and state = 'open'";

/**
 * Body of a recursive table (level, referrer, referee): the referrers of referees, level by level.
 * @param name of the table
 * @param referees a query of their ids as `user_id`
 * @param levels an expression: how many levels
 */
export function referrersOf(name: string, referees: string, levels: string): string {
  return `select 1 as level, u.referrer_id as referrer, u.id as referee
    from (${referees}) r join app_user u on u.id = r.user_id
    where u.referrer_id is not null
    union all
    select l.level + 1, u.referrer_id, l.referee
    from ${name} l join app_user u on u.id = l.referrer
    where u.referrer_id is not null and l.level < ${levels}`;
}

/** Number of levels that the rules pay, from the table `share`. */
export const RULE_LEVELS = '(select max(level) from share)';
const EARNED = "l.level = 0 and l.status = 'paid' and l.reward_type <> 'PENALTY'";

/** The users of a bucket as referrers, or the referrers whom a correction concerns. */
type ReferralMode = Exclude<LinesMode, 'network'>;

/**
 * `earned`: what each referee earned. `lineage`: the referrers who get a share of it. A correction
 * reads the whole hour of these referrers, because a share is rounded once for all referees of a
 * level.
 */
const EARNINGS = {
  bucket: `lineage (level, referrer, referee) as (
    select 1, u.referrer_id, u.id from app_user u where ${inBucket('u.referrer_id')}
    union all
    select l.level + 1, l.referrer, u.id
    from lineage l
      cross join lateral (select id from app_user where referrer_id = l.referee offset 0) u
    where l.level < ${RULE_LEVELS}
  ),
  earned as materialized (
    select r.referee as user_id, e.amount
    from (select distinct referee from lineage) r
      cross join lateral (
        select sum(l.amount) as amount from reward_line l
        where l.user_id = r.referee and l.hour = :hour and ${EARNED}
        offset 0
      ) e
    where e.amount is not null
  )`,
  correction: `descent (level, referrer, distance, referee) as (
    select c.level, c.referrer, 1, u.id
    from unnest(:referrer_levels::int[], :referrers::bigint[]) as c (level, referrer)
      join app_user u on u.referrer_id = c.referrer
    union all
    select d.level, d.referrer, d.distance + 1, u.id
    from descent d join app_user u on u.referrer_id = d.referee
    where d.distance < d.level
  ),
  lineage as materialized (
    select level, referrer, referee from descent where distance = level
  ),
  earned as materialized (
    select l.user_id, sum(l.amount) as amount from reward_line l
    where l.hour = :hour and ${EARNED} and l.user_id in (select referee from lineage)
      and not exists (
        select from reward_refusal r where r.batch_id = l.batch_id and r.leaf = l.leaf
      )
    group by l.user_id
  )`,
};

/**
 * What earlier lines of the hour settled: for a referrer and level (referee 0), or for one referee
 * whose reward was held.
 */
const SETTLED = {
  bucket: `select null::bigint as referrer, null::int as level, null::bigint as referee,
      0::numeric as held, 0::numeric as paid, 0::numeric as inactive, 0::numeric as ineligible
    where false`,
  correction: `select l.user_id as referrer, l.level, coalesce(l.referee_id, 0) as referee,
      sum(l.amount) filter (where l.status = 'held' and r.code is null) as held,
      sum(l.amount) filter (where l.status = 'paid' and r.code is null) as paid,
      max(l.quantity) filter (where l.reason = 'account_not_active') as inactive,
      max(l.quantity) filter (where l.reason = 'gate_not_passed') as ineligible
    from reward_line l left join reward_refusal r on r.batch_id = l.batch_id and r.leaf = l.leaf
    where l.hour = :hour and l.level > 0 and l.user_id in (select referrer from lineage)
    group by 1, 2, 3`,
};

/**
 * Each referee's share, with the reason why it is not paid now. What an earlier line of the hour
 * decided stays: an inactive referrer, and a referee whose reward was held or was not held. Users
 * are looked up one by one: a join would read all of them for each bucket.
 */
const REFEREE_SHARE = `select l.referrer, l.level, l.referee, e.amount, s.rate,
      u.released_at is not null and o.referee_id is null as is_released,
      case
        when coalesce(seen.was_inactive, referrer.status <> 'active') then 'account_not_active'
        when eligible.user_id is null then 'gate_not_passed'
        when u.held_at <= :hour and (held.referrer is not null or u.released_at is null)
          then u.hold_reason
      end as reason
    from lineage l
      join earned e on e.user_id = l.referee
      join share s on s.level = l.level
      cross join lateral (select status from app_user where id = l.referrer offset 0) referrer
      left join lateral (
        select held_at, hold_reason, released_at from reward_user where user_id = l.referee offset 0
      ) u on true
      left join lateral (
        select user_id from referral_eligibility
        where user_id = l.referee and level = l.level and eligible_from <= :hour offset 0
      ) eligible on true
      left join open_release o on o.referee_id = l.referee
      left join (
        select referrer, bool_or(inactive is not null) as was_inactive from settled group by 1
      ) seen on seen.referrer = l.referrer
      left join settled held on held.referrer = l.referrer and held.level = l.level
        and held.referee = l.referee
    where e.amount > 0`;

/** Lines as they should be; referee 0: of all referees that are not held. */
const TARGET = `select referrer, level, 0::bigint as referee, sum(amount) as quantity, rate,
      div(sum(amount) * rate, ${MILLION}) as target, 'paid' as status, null::text as reason
    from referee_share where reason is null group by referrer, level, rate
    union all
    select referrer, level, referee, amount, rate, div(amount * rate, ${MILLION}),
      case when is_released then 'paid' else 'held' end, reason
    from referee_share where reason like 'shared_%'
    union all
    select referrer, level, 0, sum(amount), rate, 0, 'rejected', reason
    from referee_share where reason in ('account_not_active', 'gate_not_passed')
    group by referrer, level, rate, reason`;

/**
 * Recursive common table expressions that end in `referral_reward`, with the columns user_id,
 * level, referee_id, quantity, rate, target, settled_before, status, reason. Parameters: `:batch`,
 * `:hour`, those of `shareParameters`, and of a correction `:referrers` and `:referrer_levels`.
 */
export function referralRewards(mode: ReferralMode): string {
  return `share as (
    select * from unnest(:levels::int[], :rates::numeric[]) as s (level, rate)
  ),
  ${EARNINGS[mode]},
  settled as materialized (${SETTLED[mode]}),
  open_release as (${OPEN_RELEASES}),
  referee_share as materialized (${REFEREE_SHARE}),
  target_line as (${TARGET}),
  compared as (
    select t.*, s.referrer is null as is_first,
      case t.status
        when 'paid' then coalesce(s.paid, 0) when 'held' then coalesce(s.held, 0) else 0
      end as settled_before,
      case t.reason
        when 'account_not_active' then s.inactive when 'gate_not_passed' then s.ineligible
      end as rejected_before
    from target_line t left join settled s on s.referrer = t.referrer and s.level = t.level
      and s.referee = t.referee
  ),
  referral_reward as (
    select referrer as user_id, level, nullif(referee, 0) as referee_id, quantity, rate, target,
      settled_before, case when target = settled_before then 'rejected' else status end as status,
      coalesce(reason, case when target = 0 then 'too_small' end) as reason
    from compared
    where case
        when status = 'rejected' then quantity > coalesce(rejected_before, 0)
        else is_first or target <> settled_before
      end
  )`;
}

export function shareParameters(referral: readonly ReferralLevel[]) {
  return {
    levels: referral.map(({ level }) => level),
    rates: referral.map(({ millionths }) => String(millionths)),
  };
}
