/** Of join numbers found anywhere in the tree, those below a viewer: asked of the viewer's sequence, never by walking up. */
import type { Db } from '../db/index.ts';
import { countUpTo, openDownline, type Viewer } from './downline-sequence.ts';

/** A number is looked for among the ordinals by binary search. $1 lead, $2 length, $3 numbers. */
const BY_SEARCH = `select array_agg(n order by n) as nos from unnest($3::int[]) n
  where exists (select from community_list where lead_id = $1 and seq = community_list_rank($1, $2, n) and join_no = n)`;

/** The whole list is read once. */
const BY_READING =
  'select array_agg(join_no order by join_no) as nos from community_list where lead_id = $1 and seq <= $2 and join_no = any ($3::int[])';

/** One binary search costs about as much as reading this many of a list. */
const SEARCH_COST = 400;

/** Those of `nos` that are in the downline as of the viewer, oldest first. */
export async function keepMembers(
  db: Db,
  viewer: Viewer,
  nos: readonly number[],
): Promise<number[]> {
  if (nos.length === 0) return [];
  const { ownerId, last, others } = await openDownline(db, viewer, 'COMMUNITY', {
    afterNo: 0,
    untilNo: viewer.lastNo,
  });
  const walked = nos.filter((no) => others[countUpTo(others, no) - 1] === no);
  if (last === 0) return walked.sort((a, b) => a - b);
  const query = nos.length * SEARCH_COST < last ? BY_SEARCH : BY_READING;
  const { rows } = await db.query<{ nos: number[] | null }>(query, [ownerId, last, nos]);
  return [...walked, ...(rows[0]?.nos ?? [])].sort((a, b) => a - b);
}
