/** Who of a community a keyword finds. */
import type { Db } from '../db/index.ts';
import type { MemberType, NoRange, Sequence, Viewer } from './open-downline.ts';

const MATCHES = `position(community_fold($5) in m.name) > 0 or m.email = lower($5)
  or (m.referrer_id = $1 and position(lower($5) in m.email) > 0)`;

const DIRECT = `select array_agg(m.join_no order by m.join_no desc) as nos from community_member m
  where m.referrer_id = $1 and m.join_no > $3 and m.join_no <= $4 and $2::bigint is null and (${MATCHES})`;

const COMMUNITY = `with recursive light as (
    select user_id, join_no from community_member where referrer_id = $1
    union all
    select m.user_id, m.join_no from light cross join lateral (select user_id, join_no from community_member where referrer_id = light.user_id offset 0) m
       where light.user_id is distinct from $2::bigint
  ), everyone as (
    select join_no from light union all select join_no from community_list where lead_id = $2
  )
  select array_agg(m.join_no order by m.join_no desc) as nos from everyone join community_member m on m.join_no = everyone.join_no
  where m.join_no > $3 and m.join_no <= $4 and (${MATCHES})`;

const LEAD = `select array_agg(m.join_no order by m.join_no desc) as nos from community_list l join community_member m on m.join_no = l.join_no
  where l.lead_id = $1 and $2::bigint is null and m.join_no > $3 and m.join_no <= $4 and (${MATCHES})`;

/** Nickname by substring, case and accent insensitive; address by substring for direct referrals, in full for others. */
export async function matchKeyword(db: Db, viewer: Viewer, type: MemberType, range: NoRange, keyword: string): Promise<Sequence> {
  const text = type === 'DIRECT' ? DIRECT : viewer.isLead ? LEAD : COMMUNITY;
  const heavy = text === COMMUNITY ? viewer.heavyLeadId : null;
  const { rows } = await db.query<{ nos: number[] | null }>(text, [viewer.userId, heavy, range.afterNo, range.untilNo, keyword]);
  return { kind: 'list', ownerId: 0, first: 1, last: 0, others: rows[0]?.nos ?? [] };
}
