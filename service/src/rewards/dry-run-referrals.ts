/**
 * What a dry run knows of referral rewards. The rules that applied count whom settlement let count. The draft is taken
 * as if its gates had judged everybody from the first hour on: time online goes on from what settlement had counted by
 * then, addresses and keys are those of today.
 */
import type { Transaction } from '../db/index.ts';
import { isAccepted } from './device-reward-query.ts';
import { sharedIdentitySql } from './referral-eligibility.ts';
import { MILLION, type Rules } from './rules.ts';

export type Side = 'active' | 'draft';

const REFEREES = `create temporary table dry_run_referee (user_id bigint primary key, uptime_ms numeric not null, own bigint not null,
  shares_address boolean not null, shares_key boolean not null, is_released boolean not null) on commit drop`;

/** What was counted from the first hour on is taken off again: the dry run counts it itself. */
const FIND_REFEREES = `with
  since as (
    select l.user_id, sum(l.quantity) as ms
    from reward_line l join reward_user r on r.user_id = l.user_id and r.counted_until >= l.hour
    where l.batch_id = any(array(
        select id from reward_batch where kind = 'hour' and hour >= $1 and hour <= (select max(counted_until) from reward_user)))
      and l.reward_type = 'UPTIME' and ${isAccepted('l.reason')}
    group by l.user_id),
  trait as (${sharedIdentitySql('select id from app_user where referrer_id is not null')})
  insert into dry_run_referee
  select t.user_id, greatest(coalesce(r.uptime_ms, 0) - coalesce(s.ms, 0), 0), t.own, t.shares_address, t.shares_key, r.released_at is not null
  from trait t left join reward_user r on r.user_id = t.user_id left join since s on s.user_id = t.user_id`;

/** Notes how far everybody was on the way through the gates of a draft. @param from first hour */
export async function findReferees(tx: Transaction, from: Date, draft: Rules): Promise<void> {
  await tx.query(REFEREES);
  if (draft.referral.length === 0) return;
  await tx.query(FIND_REFEREES, [from]);
  await tx.query('analyze dry_run_referee');
}

const SETTLED = `counting as (
    select r.user_id, s.level from reward_user r cross join share s
    where case s.level when 1 then r.counts_from_1 when 2 then r.counts_from_2 else r.counts_from_3 end <= $1
      and (r.held_at is null or r.held_at > $1 or r.released_at is not null))`;

// Whom one level's gate finds on shared addresses is held at all of them.
const BY_GATES = `counted as (select user_id, sum(quantity) as ms from direct where reward_type = 'UPTIME' and ${isAccepted('reason')} group by 1),
  grown as (
    update dry_run_referee g set uptime_ms = g.uptime_ms + c.ms from counted c where c.user_id = g.user_id and g.uptime_ms < (select max(uptime_ms) from share)),
  passed as (
    select g.user_id, s.level, bool_or((g.shares_key or g.own < s.addresses) and not g.is_released) over (partition by g.user_id) as is_held
    from dry_run_referee g left join counted c on c.user_id = g.user_id cross join share s
    where g.uptime_ms + coalesce(c.ms, 0) >= s.uptime_ms and (g.own >= s.addresses or g.shares_address or g.shares_key)),
  counting as (select user_id, level from passed where not is_held)`;

/**
 * The sums of `referral` by user_id, from those of `direct`. Parameters from $13 on: see `referralParameters`; $1 is the
 * hour.
 */
export function referralSums(side: Side): string {
  return `share as (select * from unnest($13::int[], $14::numeric[], $15::numeric[], $16::int[]) as s (level, millionths, uptime_ms, addresses)),
  base as (select user_id, sum(target) as amount from direct where reward_type <> 'PENALTY' group by user_id having sum(target) > 0),
  above as (
    select 1 as level, a.referrer_id as referrer, b.user_id as referee, b.amount from base b join app_user a on a.id = b.user_id
    union all select 2, c.referrer_id, b.user_id, b.amount from base b join app_user a on a.id = b.user_id join app_user c on c.id = a.referrer_id
    union all select 3, d.referrer_id, b.user_id, b.amount from base b join app_user a on a.id = b.user_id join app_user c on c.id = a.referrer_id
      join app_user d on d.id = c.referrer_id),
  ${side === 'active' ? SETTLED : BY_GATES},
  referral as (
    select v.referrer as user_id, div(sum(v.amount) * s.millionths, ${MILLION}) as amount
    from above v join share s on s.level = v.level join counting c on c.user_id = v.referee and c.level = v.level
      join app_user u on u.id = v.referrer and u.status = 'active'
    group by v.referrer, v.level, s.millionths)`;
}

/** $13 to $16 of `referralSums`. */
export function referralParameters({ referral }: Rules): unknown[] {
  return [
    referral.map(({ level }) => level),
    referral.map(({ millionths }) => String(millionths)),
    referral.map(({ uptime_ms }) => uptime_ms),
    referral.map(({ addresses }) => addresses),
  ];
}
