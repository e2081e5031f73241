/** Rows of members, as a referrer may see them. */
import { type Db, defineStatement, execute } from '../db/index.ts';
import { maskEmail } from '../identity/index.ts';
import { exactAmount } from '../lib/exact-json.ts';
import {
  readSequence,
  type Sequence,
  sizeOf,
  toOrdinals,
  type Viewer,
} from './downline-sequence.ts';
import type { CommunityMember } from './schemas.ts';

interface MemberRow {
  readonly user_id: number;
  readonly nickname: string;
  readonly email: string;
  readonly depth: number;
  readonly referrer_id: number;
  readonly direct_count: number;
  readonly downline_count: number;
  readonly downline_amount: string;
  readonly package_amount: string;
  readonly note: string;
  readonly is_closed: boolean;
  readonly joined_at: Date;
}

function toMember(row: MemberRow, viewer: Viewer, scale: number): CommunityMember {
  const isDirect = row.referrer_id === viewer.userId;
  return {
    user_id: row.user_id,
    nickname: row.nickname,
    email: isDirect ? row.email : maskEmail(row.email),
    level: row.depth - viewer.depth,
    referrer_id: row.referrer_id,
    direct_count: row.direct_count,
    team_count: row.downline_count,
    joined_at: row.joined_at.toISOString(),
    package_amount: exactAmount(row.package_amount, scale),
    team_performance: exactAmount(row.downline_amount, scale),
    // Only its writer, the referrer, sees a note.
    note: isDirect ? row.note : '',
    is_closed: row.is_closed,
  };
}

/**
 * The lateral forms use each index by key, whatever the planner expects of the tables.
 * @param members SQL that makes the table `m`
 */
const selectMembers = (members: string): string =>
  `select m.user_id, u.nickname, u.email, m.depth, m.referrer_id, s.direct_count, s.downline_count,
     s.downline_amount, coalesce(p.amount, 0) as package_amount, coalesce(n.note, '') as note,
     u.status = 'closed' as is_closed, m.joined_at
   from ${members}
   cross join lateral (select nickname, email, status from app_user where id = m.user_id limit 1) u
   cross join lateral (select * from community_stats where user_id = m.user_id limit 1) s
   left join lateral (
     select amount from community_purchase_total where user_id = m.user_id limit 1
   ) p on true
   left join lateral (select note from community_note where user_id = m.user_id limit 1) n on true
   order by m.join_no desc`;
const BY_NUMBER =
  'cross join lateral (select * from community_member where join_no = k.join_no limit 1) m';
const NUMBERED = defineStatement(
  'community_members',
  selectMembers(`unnest(:join_nos::int[]) k (join_no) ${BY_NUMBER}`),
);
const ORDERED = {
  direct: defineStatement(
    'community_members_direct',
    selectMembers(`(select * from community_member
    where referrer_id = :owner and direct_no >= :low and direct_no <= :high offset 0) m`),
  ),
  list: defineStatement(
    'community_members_list',
    selectMembers(`(select join_no from community_downline
    where owner_id = :owner and seq >= :low and seq <= :high offset 0) k ${BY_NUMBER}`),
  ),
};

export interface Selection {
  readonly viewer: Viewer;
  readonly sequence: Sequence;
}

/** Members `skip` to `skip + count` of a sequence, newest first. */
export async function readMembers(
  { db, scale }: { readonly db: Db; readonly scale: number },
  { viewer, sequence }: Selection,
  skip: number,
  count: number,
): Promise<CommunityMember[]> {
  if (skip >= sizeOf(sequence)) return [];
  const { kind, ownerId, low, high } = toOrdinals(sequence, skip, count);
  const { rows } =
    sequence.others.length === 0
      ? await execute<MemberRow>(db, ORDERED[kind], { owner: ownerId, low, high })
      : await execute<MemberRow>(db, NUMBERED, {
          join_nos: await readSequence(db, sequence, skip, count),
        });
  return rows.map((row) => toMember(row, viewer, scale));
}
