/** `GET /community/members` and what its export shares with it. */

import type { Db } from '../db/index.ts';
import { toPage } from '../http/index.ts';
import { dayRange } from '../lib/calendar.ts';
import { matchKeyword } from './match-keyword.ts';
import { findViewer, openDownline, readSequence, type Sequence, sizeOf, toNoRange, type Viewer } from './open-downline.ts';
import { readMembers } from './queries.ts';
import type { MemberFilters, MembersQuery } from './schemas.ts';

export interface Selection {
  readonly viewer: Viewer;
  readonly sequence: Sequence;
}

/** The members that the filters select, as one sequence. @throws `invalid_parameter` when the range begins after its end */
export async function selectMembers(db: Db, userId: number, filters: MemberFilters): Promise<Selection | undefined> {
  const days = dayRange(filters.beginDate, filters.endDate, 'beginDate');
  const viewer = await findViewer(db, userId);
  if (!viewer) return undefined;
  const range = await toNoRange(db, viewer, days);
  const { keyword = '', type = 'DIRECT' } = filters;
  const sequence = keyword === '' ? await openDownline(db, viewer, type, range) : await matchKeyword(db, viewer, type, range, keyword);
  return { viewer, sequence };
}

/** One page, newest first. */
export async function listMembers(db: Db, userId: number, query: MembersQuery, scale: number) {
  const selection = await selectMembers(db, userId, query);
  if (!selection) return toPage([], 0, query);
  const { viewer, sequence } = selection;
  const joinNos = await readSequence(db, sequence, (query.current - 1) * query.size, query.size);
  return toPage(await readMembers(db, viewer, joinNos, scale), sizeOf(sequence), query);
}
