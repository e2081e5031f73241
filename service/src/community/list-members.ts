/** `GET /community/members`, and the selection that its export shares. */
import type { Db } from '../db/index.ts';
import { toPage } from '../http/index.ts';
import { dayRange } from '../lib/calendar.ts';
import {
  countUpTo,
  findViewer,
  openDownline,
  sizeOf,
  toOrdinalRange,
} from './downline-sequence.ts';
import { readMembers, type Selection } from './queries.ts';
import type { MemberFilters, MembersQuery } from './schemas.ts';
import type { MatchCache } from './search-cache.ts';

export interface MemberSource {
  readonly db: Db;
  readonly matches: MatchCache;
  /** Decimals of the reward currency. */
  readonly scale: number;
}

/**
 * The members that the filters select, as one sequence. @throws `invalid_parameter` when the range
 * begins after its end
 */
export async function selectMembers(
  source: MemberSource,
  userId: number,
  filters: MemberFilters,
): Promise<Selection | undefined> {
  const days = dayRange(filters.beginDate, filters.endDate, 'beginDate');
  const viewer = await findViewer(source.db, userId);
  if (!viewer) return undefined;
  const { db, matches } = source;
  const range = await toOrdinalRange(db, viewer, days);
  const { keyword = '', type = 'DIRECT' } = filters;
  if (keyword === '')
    return {
      viewer,
      sequence: await openDownline(db, viewer, { type, range }, matches.traverse),
    };
  const found = await matches.find(db, viewer, type, keyword);
  const others = found.subarray(countUpTo(found, range.afterNo), countUpTo(found, range.untilNo));
  return { viewer, sequence: { kind: 'list', ownerId: 0, first: 1, last: 0, others } };
}

/** One page, newest first. */
export async function listMembers(source: MemberSource, userId: number, query: MembersQuery) {
  const selection = await selectMembers(source, userId, query);
  if (!selection) return toPage([], 0, query);
  const skip = (query.current - 1) * query.size;
  const members = await readMembers(source, selection, skip, query.size);
  return toPage(members, sizeOf(selection.sequence), query);
}
