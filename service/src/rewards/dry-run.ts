/** What rules would have paid for past hours, beside what the rules of those hours pay: nothing is written. */
import { type Database, transaction } from '../db/index.ts';
import { invalidField } from '../lib/failures.ts';
import { directLines, directParameters } from './direct-lines.ts';
import { loadRules, scaleOfRewards, versionAt } from './manage-rules.ts';
import { HOUR_MS, isFullHour, MILLION, type Rules } from './rules.ts';

const HOURS_MAX = 48;

export interface DryRunSums {
  readonly rewardType: string;
  readonly active: bigint;
  readonly draft: bigint;
}

export interface DryRunUser {
  readonly userId: number;
  readonly active: bigint;
  readonly draft: bigint;
}

export interface DryRun {
  readonly byType: DryRunSums[];
  /** Those whom it changes most. */
  readonly users: DryRunUser[];
  readonly usersTotal: number;
}

interface Row {
  readonly user_id: number;
  readonly reward_type: string;
  readonly amount: string;
}

// Referral by the gates as they stand: a draft is judged on today's network.
const QUERY = (direct: string): string => `with ${direct},
  earned as (select user_id, reward_type, sum(target) as amount from direct group by 1, 2),
  base as (select user_id, sum(amount) as amount from earned where reward_type <> 'PENALTY' group by user_id having sum(amount) > 0),
  share as (select * from unnest($13::int[], $14::numeric[]) as s (level, millionths)),
  above as (
    select 1 as level, a.referrer_id as referrer, b.user_id as referee, b.amount from base b join app_user a on a.id = b.user_id
    union all select 2, c.referrer_id, b.user_id, b.amount from base b join app_user a on a.id = b.user_id join app_user c on c.id = a.referrer_id
    union all select 3, d.referrer_id, b.user_id, b.amount from base b join app_user a on a.id = b.user_id join app_user c on c.id = a.referrer_id
      join app_user d on d.id = c.referrer_id),
  referral as (
    select v.referrer as user_id, 'REFERRAL'::text as reward_type, div(sum(v.amount) * s.millionths, ${MILLION}) as amount
    from above v join share s on s.level = v.level join reward_user r on r.user_id = v.referee
    where v.referrer is not null and (r.hold_reason is null or r.released_at is not null)
      and case v.level when 1 then r.counts_from_1 when 2 then r.counts_from_2 else r.counts_from_3 end is not null
    group by v.referrer, v.level, s.millionths)
  select user_id, reward_type, amount::text from earned where amount <> 0 union all select user_id, reward_type, amount::text from referral where amount <> 0`;

type Sums = Map<string, { active: bigint; draft: bigint }>;

function add(sums: Sums, key: string, side: 'active' | 'draft', amount: bigint): void {
  const sum = sums.get(key) ?? { active: 0n, draft: 0n };
  sums.set(key, { ...sum, [side]: sum[side] + amount });
}

function readHours(from: Date, before: Date): Date[] {
  if (!isFullHour(from)) throw invalidField('from', 'not_a_full_hour', 'must be a full hour');
  if (!isFullHour(before)) throw invalidField('before', 'not_a_full_hour', 'must be a full hour');
  const count = (before.getTime() - from.getTime()) / HOUR_MS;
  if (count < 1) throw invalidField('before', 'begin_after_end', 'must be after from');
  if (count > HOURS_MAX) throw invalidField('before', 'range_too_long', `makes more than ${HOURS_MAX} hours`);
  return Array.from({ length: count }, (_, n) => new Date(from.getTime() + n * HOUR_MS));
}

function size(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

/** Compares a version with those that applied in the hours. */
export async function dryRun(database: Database, rewardCurrency: string, version: number, from: Date, before: Date, limit: number): Promise<DryRun> {
  const hours = readHours(from, before);
  const byUser: Sums = new Map();
  const byType: Sums = new Map();
  await transaction(database, async (tx) => {
    const scale = await scaleOfRewards(tx, rewardCurrency);
    const draft = await loadRules(tx, version, scale);
    const take = async (side: 'active' | 'draft', hour: Date, rules: Rules): Promise<void> => {
      const referral = [rules.referral.map(({ level }) => level), rules.referral.map(({ millionths }) => String(millionths))];
      const { rows } = await tx.query<Row>(QUERY(directLines('hour')), [...directParameters(hour, rules, null), ...referral]);
      for (const { user_id, reward_type, amount } of rows) {
        add(byUser, String(user_id), side, BigInt(amount));
        add(byType, reward_type, side, BigInt(amount));
      }
    };
    for (const hour of hours) {
      await take('draft', hour, draft);
      const active = await versionAt(tx, hour);
      if (active !== undefined) await take('active', hour, await loadRules(tx, active, scale));
    }
  });
  const users = [...byUser].map(([userId, sums]) => ({ userId: Number(userId), ...sums }));
  users.sort((a, b) => (size(b.draft - b.active) > size(a.draft - a.active) ? 1 : -1));
  return { byType: [...byType].map(([rewardType, sums]) => ({ rewardType, ...sums })), users: users.slice(0, limit), usersTotal: users.length };
}
