/**
 * Referral rewards of a dry run. The rules that applied use the eligibility that settlement
 * recorded. For the draft, eligibility is computed as if its requirements had applied to all users
 * from the first hour on: uptime continues from what settlement had counted by then, addresses and
 * keys are those of today.
 */
import { defineStatement, executeUnprepared, type Transaction } from '../db/index.ts';
import { isAccepted } from './online-device-query.ts';
import { sharedIdentitySql } from './referral-eligibility.ts';
import { RULE_LEVELS, referrersOf, shareParameters } from './referral-reward-query.ts';
import { MILLION, type Rules } from './rules.ts';

export type Side = 'active' | 'draft';

const REFEREES = `create temporary table dry_run_referee (
    user_id bigint primary key, uptime_ms numeric not null, own bigint not null,
    shares_address boolean not null, shares_key boolean not null, is_released boolean not null
  ) on commit drop`;

/** What settlement counted from the first hour on is subtracted: the dry run counts it itself. */
const FIND_REFEREES = defineStatement(
  'rewards_dry_run_referees',
  `with since as (
    select l.user_id, sum(l.quantity) as ms
    from reward_line l join reward_user r on r.user_id = l.user_id and r.counted_until >= l.hour
    where l.batch_id = any(array(
        select id from reward_batch where kind = 'hour' and hour >= :first
          and hour <= (select max(counted_until) from reward_user)
      ))
      and l.reward_type = 'UPTIME' and ${isAccepted('l.reason')}
    group by l.user_id
  ),
  shared as (${sharedIdentitySql('select id from app_user where referrer_id is not null')})
  insert into dry_run_referee
  select s.user_id, greatest(coalesce(r.uptime_ms, 0) - coalesce(since.ms, 0), 0), s.own,
    s.shares_address, s.shares_key, r.released_at is not null
  from shared s
    left join reward_user r on r.user_id = s.user_id
    left join since on since.user_id = s.user_id`,
);

/** Stores how far each referee is from the requirements of a draft. @param first hour */
export async function findReferees(tx: Transaction, first: Date, draft: Rules): Promise<void> {
  await tx.query(REFEREES);
  if (draft.referral.length === 0) return;
  await executeUnprepared(tx, FIND_REFEREES, { first });
  await tx.query('analyze dry_run_referee');
}

/** Referees who count, by level. One who is held at one level is held at all of them. */
const ELIGIBLE = {
  active: `eligible as (
    select e.user_id, e.level
    from referral_eligibility e join reward_user r on r.user_id = e.user_id
    where e.eligible_from <= :hour
      and (r.held_at is null or r.held_at > :hour or r.released_at is not null)
  )`,
  draft: `online as (
    select user_id, sum(quantity) as ms from device_reward
    where reward_type = 'UPTIME' and ${isAccepted('reason')} group by user_id
  ),
  counted as (
    update dry_run_referee r set uptime_ms = r.uptime_ms + o.ms from online o
    where o.user_id = r.user_id and r.uptime_ms < (select max(uptime_ms) from share)
  ),
  evaluated as (
    select r.user_id, s.level,
      bool_or((r.shares_key or r.own < s.addresses) and not r.is_released)
        over (partition by r.user_id) as is_held
    from dry_run_referee r left join online o on o.user_id = r.user_id cross join share s
    where r.uptime_ms + coalesce(o.ms, 0) >= s.uptime_ms
      and (r.own >= s.addresses or r.shares_address or r.shares_key)
  ),
  eligible as (select user_id, level from evaluated where not is_held)`,
};

/**
 * Recursive common table expressions that end in `referral_reward` (user_id, amount), after those
 * of `deviceRewards`. Parameters: `:hour` and `dryRunShareParameters`.
 */
export function referralSums(side: Side): string {
  return `share as (
    select * from unnest(:levels::int[], :rates::numeric[], :uptimes::numeric[], :addresses::int[])
      as s (level, rate, uptime_ms, addresses)
  ),
  earned as (
    select user_id, sum(target) as amount from device_reward where reward_type <> 'PENALTY'
    group by user_id having sum(target) > 0
  ),
  lineage as (${referrersOf('lineage', 'select user_id from earned', RULE_LEVELS)}),
  ${ELIGIBLE[side]},
  referral_reward as (
    select l.referrer as user_id, div(sum(e.amount) * s.rate, ${MILLION}) as amount
    from lineage l
      join earned e on e.user_id = l.referee
      join share s on s.level = l.level
      join eligible on eligible.user_id = l.referee and eligible.level = l.level
      join app_user u on u.id = l.referrer and u.status = 'active'
    group by l.referrer, l.level, s.rate
  )`;
}

export function dryRunShareParameters({ referral }: Rules) {
  return {
    ...shareParameters(referral),
    uptimes: referral.map(({ uptime_ms }) => uptime_ms),
    addresses: referral.map(({ addresses }) => addresses),
  };
}
