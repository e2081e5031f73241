/** `GET /community/members` and what its export shares with it. */

import type { Db } from '../db/index.ts';
import { toPage } from '../http/index.ts';
import { dayRange } from '../lib/calendar.ts';
import {
  countUpTo,
  findViewer,
  type MemberType,
  type OrdinalRange,
  openDownline,
  type Sequence,
  sizeOf,
  toNoRange,
  type Viewer,
} from './downline-sequence.ts';
import { readMembers } from './queries.ts';
import type { MemberFilters, MembersQuery } from './schemas.ts';
import type { MatchCache } from './search-cache.ts';

export interface Selection {
  readonly viewer: Viewer;
  readonly sequence: Sequence;
}

/** What a search of members needs beside the database. */
export interface MemberSource {
  readonly db: Db;
  readonly matches: MatchCache;
  /** Decimals of the reward currency. */
  readonly scale: number;
}

async function search(
  { db, matches }: MemberSource,
  viewer: Viewer,
  type: MemberType,
  range: OrdinalRange,
  keyword: string,
): Promise<Sequence> {
  const nos = await matches.find(db, viewer, type, keyword);
  const others = nos.subarray(countUpTo(nos, range.afterNo), countUpTo(nos, range.untilNo));
  return { kind: 'list', ownerId: 0, first: 1, last: 0, others };
}

/** The members that the filters select, as one sequence. @throws `invalid_parameter` when the range begins after its end */
export async function selectMembers(
  source: MemberSource,
  userId: number,
  filters: MemberFilters,
): Promise<Selection | undefined> {
  const days = dayRange(filters.beginDate, filters.endDate, 'beginDate');
  const viewer = await findViewer(source.db, userId);
  if (!viewer) return undefined;
  const range = await toNoRange(source.db, viewer, days);
  const { keyword = '', type = 'DIRECT' } = filters;
  const sequence =
    keyword === ''
      ? await openDownline(source.db, viewer, type, range, source.matches.walk)
      : await search(source, viewer, type, range, keyword);
  return { viewer, sequence };
}

/** One page, newest first. */
export async function listMembers(source: MemberSource, userId: number, query: MembersQuery) {
  const selection = await selectMembers(source, userId, query);
  if (!selection) return toPage([], 0, query);
  const { viewer, sequence } = selection;
  const skip = (query.current - 1) * query.size;
  const members = await readMembers(source, viewer, sequence, skip, query.size);
  return toPage(members, sizeOf(sequence), query);
}
