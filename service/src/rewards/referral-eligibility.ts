/**
 * Eligibility: from which hour a referee counts for the referrer at each level. A referee who has
 * enough uptime but shares addresses or keys with other users counts too, and what they bring is
 * held until an operator decides.
 */
import { defineStatement, executeUnprepared, type Transaction } from '../db/index.ts';
import { BUCKET_LEAVES, type LockedBucket } from './buckets.ts';
import type { HourScope } from './insert-lines.ts';
import { inBucket, isAccepted } from './online-device-query.ts';
import type { ReferralLevel } from './rules.ts';

/** All accepted time online counts, also where the rules pay nothing for it. */
const ADD_UPTIME = defineStatement(
  'rewards_add_uptime',
  `insert into reward_user as r (user_id, uptime_ms, counted_until)
  select l.user_id, sum(l.quantity), :hour::timestamptz
  from reward_line l join app_user u on u.id = l.user_id and ${inBucket('u.id')}
  where l.batch_id = :batch and l.leaf >= :leaf and l.leaf < :end
    and l.reward_type = 'UPTIME' and ${isAccepted('l.reason')} and u.referrer_id is not null
  group by l.user_id order by l.user_id
  on conflict (user_id) do update
    set uptime_ms = r.uptime_ms + excluded.uptime_ms, counted_until = excluded.counted_until
    where r.uptime_ms < :highest`,
);

/**
 * Of the devices of users: addresses that no other user has, and whether an address or a key is
 * shared with another user. The devices that have such an address or key are sorted once by each:
 * self-joins take hours at a million devices, because the planner has no statistics of the parts of
 * the statement.
 * @param users a query of their ids
 */
export function sharedIdentitySql(users: string): string {
  return `with identity as not materialized (
      select d.user_id, coalesce(p.address, d.registered_address) collate "C" as address,
        d.key_thumbprint collate "C" as key
      from device d left join device_presence p on p.device_id = d.id
    ),
    of_users as materialized (select * from identity where user_id in (${users}))
    select user_id, count(distinct address) filter (where not shares_address) as own,
      bool_or(shares_address) as shares_address, bool_or(shares_key) as shares_key
    from (
      select user_id, address, is_of_users,
        min(user_id) over of_address <> max(user_id) over of_address as shares_address,
        key is not null and min(user_id) over of_key <> max(user_id) over of_key as shares_key
      from (
        select i.user_id, i.address, i.key, u.user_id is not null as is_of_users
        from identity i
          left join (select distinct user_id from of_users) u on u.user_id = i.user_id
          left join (select distinct address from of_users) a on a.address = i.address
          left join (select distinct key from of_users) k on k.key = i.key
        where a.address is not null or k.key is not null
      ) related
      window of_address as (partition by address), of_key as (partition by key)
    ) device_use
    where is_of_users group by user_id`;
}

/** Referees with the uptime of a level at which they do not count yet. */
const SELECT_CANDIDATES = `select r.user_id, g.level, g.addresses
    from unnest(:levels::smallint[], :uptimes::numeric[], :addresses::int[])
        as g (level, uptime_ms, addresses)
      join reward_user r on r.uptime_ms >= g.uptime_ms
    where not exists (
      select from referral_eligibility e where e.user_id = r.user_id and e.level = g.level
    )`;

const HAS_CANDIDATES = defineStatement('rewards_has_candidates', `${SELECT_CANDIDATES} limit 1`);

const RECORD_ELIGIBILITY = defineStatement(
  'rewards_record_eligibility',
  `with candidate as (${SELECT_CANDIDATES}),
  shared as (${sharedIdentitySql('select user_id from candidate')}),
  eligible as (
    select c.user_id, c.level,
      case
        when s.shares_key then 'shared_key'
        when s.own < c.addresses then 'shared_address'
      end as hold_reason
    from candidate c join shared s on s.user_id = c.user_id
    where s.own >= c.addresses or s.shares_address or s.shares_key
  ),
  recorded as (
    insert into referral_eligibility (user_id, level, eligible_from)
    select user_id, level, :hour::timestamptz from eligible order by user_id, level
  )
  update reward_user r set hold_reason = h.hold_reason, held_at = :hour::timestamptz
  from (
    select user_id, min(hold_reason) as hold_reason from eligible
    where hold_reason is not null group by user_id
  ) h
  where h.user_id = r.user_id and r.hold_reason is null`,
);

/** Adds the uptime that a bucket accepted. */
export async function addUptime(
  tx: Transaction,
  { batch, hour, rules: { referral } }: HourScope,
  { bucket, firstUser, nextUser }: LockedBucket,
): Promise<void> {
  if (referral.length === 0) return;
  const leaf = bucket * BUCKET_LEAVES;
  await executeUnprepared(tx, ADD_UPTIME, {
    ...{ batch, hour, leaf, end: leaf + BUCKET_LEAVES },
    first_user: firstUser,
    next_user: nextUser,
    // Above the highest requirement the sum is not needed: not writing it saves most of the work.
    highest: Math.max(...referral.map(({ uptime_ms }) => uptime_ms), 1),
  });
}

/** Records who became eligible by the uptime of an hour, once all of it is added. */
export async function recordEligibility(
  tx: Transaction,
  hour: Date,
  referral: readonly ReferralLevel[],
): Promise<void> {
  if (referral.length === 0) return;
  const values = {
    hour,
    levels: referral.map(({ level }) => level),
    uptimes: referral.map(({ uptime_ms }) => uptime_ms),
    addresses: referral.map(({ addresses }) => addresses),
  };
  const { rowCount } = await executeUnprepared(tx, HAS_CANDIDATES, values);
  if (rowCount > 0) await executeUnprepared(tx, RECORD_ELIGIBILITY, values);
}
