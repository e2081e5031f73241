/** Rows of members, as a referrer may see them. */
import type { Db } from '../db/index.ts';
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
    // A note is its writer's own: nobody else further up sees it.
    note: isDirect ? row.note : '',
    is_closed: row.is_closed,
  };
}

/**
 * The lateral forms ask each index by key, whatever the planner believes of the tables.
 * @param members as SQL: something that makes the table `m`
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
const NUMBERED = selectMembers(`unnest($1::int[]) k (join_no) ${BY_NUMBER}`);
const ORDERED = {
  direct: selectMembers(`(select * from community_member
    where referrer_id = $1 and direct_no >= $2 and direct_no <= $3 offset 0) m`),
  list: selectMembers(`(select join_no from community_list
    where lead_id = $1 and seq >= $2 and seq <= $3 offset 0) k ${BY_NUMBER}`),
} as const;

/** Members `skip` to `skip + count` of a sequence, newest first. */
export async function readMembers(
  { db, scale }: { readonly db: Db; readonly scale: number },
  viewer: Viewer,
  sequence: Sequence,
  skip: number,
  count: number,
): Promise<CommunityMember[]> {
  if (skip >= sizeOf(sequence)) return [];
  const { kind, ownerId, low, high } = toOrdinals(sequence, skip, count);
  const { rows } =
    sequence.others.length === 0
      ? await db.prepared<MemberRow>(`community-members-${kind}`, ORDERED[kind], [
          ownerId,
          low,
          high,
        ])
      : await db.prepared<MemberRow>('community-members', NUMBERED, [
          await readSequence(db, sequence, skip, count),
        ]);
  return rows.map((row) => toMember(row, viewer, scale));
}
