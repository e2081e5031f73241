/** `GET /community/summary`: figures by level, and joins per day. */
import { type Db, defineStatement, execute } from '../db/index.ts';
import { addDays, daysBetween, listDays, startOfDay, toDay } from '../lib/calendar.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { fieldError } from '../lib/failures.ts';
import {
  countUpTo,
  findViewer,
  type MemberType,
  openDownline,
  RANK,
  type Sequence,
  type Viewer,
  walked,
} from './downline-sequence.ts';
import type { CommunitySummary, SummaryQuery } from './schemas.ts';

const DAYS_DEFAULT = 30;
const DAYS_MAX = 366;

/** The days asked for. @throws `invalid_parameter` */
function readAskedDays({ beginDate, endDate }: SummaryQuery, now: Date): string[] {
  const end = endDate ?? toDay(now);
  const begin = beginDate ?? addDays(end, 1 - DAYS_DEFAULT);
  if (begin > end) throw fieldError('beginDate', 'begin_after_end', 'is after the end date');
  if (daysBetween(begin, end) > DAYS_MAX)
    throw fieldError(
      'beginDate',
      'range_too_long',
      `must be at most ${DAYS_MAX} days before the end date`,
    );
  return listDays(begin, end);
}

const defineCount = (kind: Sequence['kind']) =>
  defineStatement(
    `community_count_until_${kind}`,
    `select array_agg(${RANK[kind]}(:owner, :length, no) order by i) as counts
    from unnest(:join_nos::int[]) with ordinality b (no, i)`,
  );
const COUNT_UNTIL = { direct: defineCount('direct'), list: defineCount('list') };

/** How many members of a sequence have a join number up to each of some bounds. */
async function countUntil(
  db: Db,
  { kind, ownerId, last, others }: Sequence,
  joinNos: readonly number[],
): Promise<number[]> {
  const values = { owner: ownerId, length: last, join_nos: joinNos };
  const { rows } = await execute<{ counts: number[] }>(db, COUNT_UNTIL[kind], values);
  return joinNos.map((no, index) => (rows[0]?.counts[index] ?? 0) + countUpTo(others, no));
}

const LAST_JOINS = defineStatement(
  'community_last_joins',
  `select array_agg(least(:last_no::int, community_last_join_before(b)) order by i) as "joinNos"
  from unnest(:bounds::timestamptz[]) with ordinality x (b, i)`,
);

async function countJoins(
  db: Db,
  viewer: Viewer,
  days: readonly string[],
): Promise<CommunitySummary['joins']> {
  const bounds = [...days, addDays(days.at(-1) ?? '', 1)].map(startOfDay);
  const { rows } = await execute<{ joinNos: number[] }>(db, LAST_JOINS, {
    bounds,
    last_no: viewer.lastNo,
  });
  const range = { afterNo: 0, untilNo: viewer.lastNo };
  const perDay = async (type: MemberType): Promise<number[]> => {
    const sequence = await openDownline(db, viewer, { type, range });
    const counts = await countUntil(db, sequence, rows[0]?.joinNos ?? []);
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

/** Totals by depth of the list, and the members that are walked. */
const LEVELS = defineStatement(
  'community_levels',
  `with recursive ${walked('user_id, depth')},
  total as (
    select w.depth, 1 as members, coalesce(p.amount, 0) as amount
    from walked w left join community_purchase_total p on p.user_id = w.user_id
    union all
    select depth, members, amount from community_depth_total where owner_id = :list_owner
  )
  select depth - :depth::int as level, sum(members) as members, sum(amount) as amount
  from total group by 1 order by 1`,
);

interface Level {
  readonly level: number;
  readonly members: number;
  readonly amount: string;
}

/** Members of each level below a user, and what they bought in minor units. */
export async function countLevels(
  db: Db,
  { walkFrom, listOwner, depth }: Viewer,
): Promise<Level[]> {
  const values = { walk_from: walkFrom, list_owner: listOwner, depth };
  return (await execute<Level>(db, LEVELS, values)).rows;
}

async function readLevels(
  db: Db,
  viewer: Viewer,
  scale: number,
): Promise<CommunitySummary['levels']> {
  return (await countLevels(db, viewer)).map(({ level, members, amount }) => ({
    level,
    members,
    performance: exactAmount(BigInt(amount), scale),
  }));
}

export interface SummarySource {
  readonly db: Db;
  readonly now: Date;
  /** Decimals of the reward currency. */
  readonly scale: number;
}

export async function summarizeCommunity(
  { db, now, scale }: SummarySource,
  userId: number,
  query: SummaryQuery,
): Promise<CommunitySummary> {
  const days = readAskedDays(query, now);
  const viewer = await findViewer(db, userId);
  return {
    direct_count: viewer?.directCount ?? 0,
    team_count: viewer?.downlineCount ?? 0,
    package_amount: exactAmount(BigInt(viewer?.ownAmount ?? 0), scale),
    team_performance: exactAmount(BigInt(viewer?.downlineAmount ?? 0), scale),
    levels: viewer ? await readLevels(db, viewer, scale) : [],
    joins: viewer
      ? await countJoins(db, viewer, days)
      : days.map((date) => ({ date, direct: 0, community: 0 })),
  };
}
