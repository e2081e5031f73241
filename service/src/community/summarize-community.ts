/** `GET /community/summary`: figures by level, and joins per day. */
import type { Db } from '../db/index.ts';
import { addDays, dayOf, daysBetween, startOfDay } from '../lib/calendar.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { fieldError } from '../lib/failures.ts';
import {
  countUpTo,
  findViewer,
  type MemberType,
  openDownline,
  type Sequence,
  type Viewer,
} from './downline-sequence.ts';
import type { CommunitySummary, SummaryQuery } from './schemas.ts';

const DAYS_DEFAULT = 30;
const DAYS_MAX = 366;

/** The days asked for. @throws `invalid_parameter` */
export function readDays({ beginDate, endDate }: SummaryQuery, now: Date): string[] {
  const end = endDate ?? dayOf(now);
  const begin = beginDate ?? addDays(end, 1 - DAYS_DEFAULT);
  if (begin > end) throw fieldError('beginDate', 'begin_after_end', 'is after the end date');
  const count = daysBetween(begin, end);
  if (count > DAYS_MAX)
    throw fieldError(
      'beginDate',
      'range_too_long',
      `must be at most ${DAYS_MAX} days before the end date`,
    );
  return Array.from({ length: count }, (_, index) => addDays(begin, index));
}

/** How many of a sequence had joined by each of some join numbers. */
async function countUntil(db: Db, sequence: Sequence, nos: readonly number[]): Promise<number[]> {
  const rank = sequence.kind === 'direct' ? 'community_direct_rank' : 'community_list_rank';
  const { rows } = await db.query<{ n: number }>(
    `select ${rank}($1, $2, no) as n from unnest($3::int[]) with ordinality b (no, i) order by i`,
    [sequence.ownerId, sequence.last, nos],
  );
  return nos.map((no, index) => {
    return (rows[index]?.n ?? 0) + countUpTo(sequence.others, no);
  });
}

async function countJoins(
  db: Db,
  viewer: Viewer,
  days: readonly string[],
): Promise<CommunitySummary['joins']> {
  const bounds = [...days, addDays(days.at(-1) ?? '', 1)].map(startOfDay);
  const { rows } = await db.query<{ no: number }>(
    'select least($2::int, community_last_join_before(b)) as no from unnest($1::timestamptz[]) with ordinality x (b, i) order by i',
    [bounds, viewer.lastNo],
  );
  const nos = rows.map((row) => row.no);
  const everyone = { afterNo: 0, untilNo: viewer.lastNo };
  const perDay = async (type: MemberType): Promise<number[]> => {
    const counts = await countUntil(db, await openDownline(db, viewer, type, everyone), nos);
    return days.map((_, index) => (counts[index + 1] ?? 0) - (counts[index] ?? 0));
  };
  const direct = await perDay('DIRECT');
  const community = await perDay('COMMUNITY');
  return days.map((date, index) => ({
    date,
    direct: direct[index] ?? 0,
    community: community[index] ?? 0,
  }));
}

/** Levels that the roll-up keeps for a lead, and everybody who is reached by walking. */
const LEVELS = `with recursive light as (
    select user_id, depth from community_member where referrer_id = $1 and not $3::boolean
    union all
    select m.* from light cross join lateral (select user_id, depth from community_member where referrer_id = light.user_id offset 0) m
    where light.user_id is distinct from $2::bigint
  ), levels as (
    select light.depth, 1 as members, coalesce(p.amount, 0) as amount from light left join community_purchase_total p on p.user_id = light.user_id
    union all
    select depth, members, amount from community_level where lead_id = case when $3 then $1 else $2 end
  )
  select depth - $4::int as level, sum(members) as members, sum(amount) as amount from levels group by 1 order by 1`;

async function readLevels(
  db: Db,
  viewer: Viewer,
  scale: number,
): Promise<CommunitySummary['levels']> {
  const { rows } = await db.query<{ level: number; members: number; amount: string }>(LEVELS, [
    viewer.userId,
    viewer.heavyLeadId,
    viewer.isLead,
    viewer.depth,
  ]);
  return rows.map(({ level, members, amount }) => ({
    level,
    members,
    performance: exactAmount(BigInt(amount), scale),
  }));
}

async function readOwn(
  db: Db,
  userId: number,
): Promise<{ package_amount: string; team_performance: string }> {
  const { rows } = await db.query<{ package_amount: string; team_performance: string }>(
    `select coalesce((select amount from community_purchase_total where user_id = $1), 0) as package_amount,
       coalesce((select downline_amount from community_stats where user_id = $1), 0) as team_performance`,
    [userId],
  );
  return rows[0] ?? { package_amount: '0', team_performance: '0' };
}

export async function summarizeCommunity(
  db: Db,
  userId: number,
  query: SummaryQuery,
  now: Date,
  scale: number,
): Promise<CommunitySummary> {
  const days = readDays(query, now);
  const viewer = await findViewer(db, userId);
  const own = await readOwn(db, userId);
  return {
    direct_count: viewer?.directCount ?? 0,
    team_count: viewer?.downlineCount ?? 0,
    package_amount: exactAmount(BigInt(own.package_amount), scale),
    team_performance: exactAmount(BigInt(own.team_performance), scale),
    levels: viewer ? await readLevels(db, viewer, scale) : [],
    joins: viewer
      ? await countJoins(db, viewer, days)
      : days.map((date) => ({ date, direct: 0, community: 0 })),
  };
}
