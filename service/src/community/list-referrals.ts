/** Who was referred by a user directly, as operators see it. */
import type { Db } from '../db/index.ts';
import { findViewer, openDownline, sizeOf, toOrdinalRange } from './downline-sequence.ts';
import { readMembers } from './queries.ts';
import type { CommunityMember } from './schemas.ts';

export type Referral = Pick<
  CommunityMember,
  'user_id' | 'nickname' | 'is_closed' | 'joined_at' | 'direct_count' | 'team_count'
>;

/** One page, newest first. */
export async function listReferrals(
  db: Db,
  userId: number,
  { current, size }: { readonly current: number; readonly size: number },
): Promise<{ referrals: Referral[]; total: number }> {
  const viewer = await findViewer(db, userId);
  if (!viewer) return { referrals: [], total: 0 };
  const range = await toOrdinalRange(db, viewer, {});
  const sequence = await openDownline(db, viewer, { type: 'DIRECT', range });
  // What they bought is not shown here, so its decimals are of no importance.
  const members = await readMembers(
    { db, scale: 0 },
    { viewer, sequence },
    (current - 1) * size,
    size,
  );
  return {
    referrals: members.map((member) => ({
      user_id: member.user_id,
      nickname: member.nickname,
      is_closed: member.is_closed,
      joined_at: member.joined_at,
      direct_count: member.direct_count,
      team_count: member.team_count,
    })),
    total: sizeOf(sequence),
  };
}
