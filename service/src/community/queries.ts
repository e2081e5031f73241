/** Rows of members, as a referrer may see them. */
import type { Db } from '../db/index.ts';
import { maskEmail } from '../identity/index.ts';
import { exactAmount } from '../lib/exact-json.ts';
import type { Viewer } from './downline-sequence.ts';
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
    package_amount: exactAmount(BigInt(row.package_amount), scale),
    team_performance: exactAmount(BigInt(row.downline_amount), scale),
    // A note is its writer's own: nobody else further up sees it.
    note: isDirect ? row.note : '',
    is_closed: row.is_closed,
  };
}

/** Reads members by their join numbers, newest first. The lateral forms ask each index by key, whatever the planner believes of the tables. */
export async function readMembers(
  db: Db,
  viewer: Viewer,
  joinNos: readonly number[],
  scale: number,
): Promise<CommunityMember[]> {
  if (joinNos.length === 0) return [];
  const { rows } = await db.prepared<MemberRow>(
    'community-members',
    `select m.user_id, u.nickname, u.email, m.depth, m.referrer_id, s.direct_count, s.downline_count, s.downline_amount,
       coalesce(p.amount, 0) as package_amount, coalesce(n.note, '') as note, u.status = 'closed' as is_closed, m.joined_at
     from unnest($1::int[]) with ordinality k (join_no, i)
     cross join lateral (select * from community_member where join_no = k.join_no limit 1) m
     cross join lateral (select nickname, email, status from app_user where id = m.user_id limit 1) u
     cross join lateral (select * from community_stats where user_id = m.user_id limit 1) s
     left join lateral (select amount from community_purchase_total where user_id = m.user_id limit 1) p on true
     left join lateral (select note from community_note where user_id = m.user_id limit 1) n on true
     order by k.i`,
    [joinNos],
  );
  return rows.map((row) => toMember(row, viewer, scale));
}
