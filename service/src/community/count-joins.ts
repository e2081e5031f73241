/** Figures of the tree for operators: joins of a day, and the team of a user. */
import { type Db, defineStatement, execute } from '../db/index.ts';
import { addDays, startOfDay } from '../lib/calendar.ts';
import { findViewer } from './downline-sequence.ts';
import { countLevels } from './summarize-community.ts';

const JOINS_BEFORE = defineStatement(
  'community_joins_before',
  `select array_agg(community_last_join_before(b) order by i) as "joinNos"
  from unnest(:bounds::timestamptz[]) with ordinality x (b, i)`,
);

/**
 * How many users joined on each of some consecutive days (UTC). Join numbers have no gaps, so the
 * cost does not grow with the users.
 */
export async function countJoinsByDay(db: Db, days: readonly string[]): Promise<number[]> {
  const bounds = [...days, addDays(days.at(-1) ?? '', 1)].map(startOfDay);
  const { rows } = await execute<{ joinNos: number[] }>(db, JOINS_BEFORE, { bounds });
  const numbers = rows[0]?.joinNos ?? [];
  return days.map((_, i) => (numbers[i + 1] ?? 0) - (numbers[i] ?? 0));
}

/** All users who ever joined, closed accounts included. */
export async function countMembers(db: Db): Promise<number> {
  const { rows } = await db.query<{ last: number }>(
    'select last_join_no as last from community_state',
  );
  return rows[0]?.last ?? 0;
}

export interface TeamCounts {
  readonly direct_count: number;
  readonly team_count: number;
  readonly levels: readonly { readonly level: number; readonly members: number }[];
}

/** How many users are below a user, in all and at each level. */
export async function countTeam(db: Db, userId: number): Promise<TeamCounts> {
  const viewer = await findViewer(db, userId);
  const levels = viewer ? await countLevels(db, viewer) : [];
  return {
    direct_count: viewer?.directCount ?? 0,
    team_count: viewer?.downlineCount ?? 0,
    levels: levels.map(({ level, members }) => ({ level, members })),
  };
}
