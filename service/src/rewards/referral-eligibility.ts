/**
 * Gates: from which hour a referee counts for the referrer at each level. A referee who passed the uptime but lives on
 * addresses or keys of others is a cluster: it counts, but what it brings is held until an operator looks.
 */
import type { Transaction } from '../db/index.ts';
import { isAccepted } from './device-reward-query.ts';
import type { ReferralLevel } from './rules.ts';

/** Time online is what counts, whether the rules pay for it or not. */
const ADD_UPTIME = `insert into reward_user as r (user_id, uptime_ms, counted_until)
  select l.user_id, sum(l.quantity), $3::timestamptz from reward_line l join app_user u on u.id = l.user_id
    where l.batch_id = $1 and l.reward_type = 'UPTIME' and ${isAccepted('l.reason')} and u.referrer_id is not null
    group by l.user_id order by l.user_id
  on conflict (user_id) do update set uptime_ms = r.uptime_ms + excluded.uptime_ms, counted_until = excluded.counted_until where r.uptime_ms < $2`;

function candidates(level: number): string {
  return `select r.user_id from reward_user r where r.counts_from_${level} is null and r.uptime_ms >= $1`;
}

/**
 * Of the devices of people: addresses that nobody else has, and whether an address or a key is somebody else's too. Seen
 * by one sort of all devices each: joins of the devices with themselves take hours at a million of them, for the planner
 * knows nothing of what the parts of the statement hold.
 * @param people a query of their ids
 */
export function sharedIdentitySql(people: string): string {
  return `select user_id, count(distinct address) filter (where not shares_address) as own, bool_or(shares_address) as shares_address, bool_or(shares_key) as shares_key
    from (
      select user_id, address,
        min(user_id) over (partition by address) <> max(user_id) over (partition by address) as shares_address,
        key is not null and min(user_id) over (partition by key) <> max(user_id) over (partition by key) as shares_key
      from (select d.user_id, coalesce(p.address, d.registered_address) collate "C" as address, d.key_thumbprint collate "C" as key
        from device d left join device_presence p on p.device_id = d.id) trait) device_use
    where user_id in (${people}) group by user_id`;
}

function updateEligibility(level: number): string {
  return `with fact as (${sharedIdentitySql(candidates(level))})
  update reward_user r set counts_from_${level} = $2,
      hold_reason = coalesce(r.hold_reason, case when f.shares_key then 'shared_key' when f.own < $3 then 'shared_address' end),
      held_at = coalesce(r.held_at, case when f.shares_key or f.own < $3 then $2::timestamptz end)
    from fact f where f.user_id = r.user_id and (f.own >= $3 or f.shares_address or f.shares_key)`;
}

/** Adds the uptime that a batch accepted, and notes who passed a gate by it. */
export async function recordEligibility(
  tx: Transaction,
  batchId: number,
  hour: Date,
  levels: readonly ReferralLevel[],
): Promise<void> {
  if (levels.length === 0) return;
  // Beyond the highest gate the sum is of no more use: not writing it saves most of the work.
  const highest = Math.max(...levels.map(({ uptime_ms }) => uptime_ms), 1);
  await tx.query(ADD_UPTIME, [batchId, highest, hour]);
  for (const { level, uptime_ms, addresses } of levels) {
    const { rowCount } = await tx.query(`${candidates(level)} limit 1`, [uptime_ms]);
    if (rowCount > 0) await tx.query(updateEligibility(level), [uptime_ms, hour, addresses]);
  }
}
