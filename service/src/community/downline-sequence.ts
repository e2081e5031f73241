/**
 * A downline (or the direct referrals) as one sequence in the order of joining, however it is
 * stored: ordinals in the database, join numbers collected by a tree walk, or both. Counting and
 * reading at any offset cost a few index lookups, whatever the size.
 *
 * All statements read as of one `lastNo`: members are only ever appended, so that several
 * statements see the same sequence.
 */
import { type Db, defineStatement, execute } from '../db/index.ts';

export type MemberType = 'DIRECT' | 'COMMUNITY';

export interface Viewer {
  readonly userId: number;
  readonly depth: number;
  readonly directCount: number;
  readonly downlineCount: number;
  /** Minor units, by the same roll-up as the counts. */
  readonly downlineAmount: string;
  readonly ownAmount: string;
  /** The member below whom the tree is walked; null: the whole downline is in a list. */
  readonly walkFrom: number | null;
  /** The indexed member whose list is read, where the walk ends; null: none. */
  readonly listOwner: number | null;
  readonly listLength: number;
  /** Number of the last join when the viewer was read. */
  readonly lastNo: number;
  readonly revision: number;
  /** Join numbers are comparable within one epoch only. */
  readonly epoch: number;
}

/** Members in the order of joining; `ordinals` and `others` do not overlap. */
export interface Sequence {
  readonly kind: 'direct' | 'list';
  /** The member who owns the ordinals. */
  readonly ownerId: number;
  /** First and last ordinal; none when last < first. */
  readonly first: number;
  readonly last: number;
  /** Join numbers besides the ordinals, oldest first. */
  readonly others: Int32Array;
}

/** Join numbers from `afterNo` (excluded) to `untilNo` (included). */
export interface OrdinalRange {
  readonly afterNo: number;
  readonly untilNo: number;
}

/**
 * Recursive table `walked`: the members below `:walk_from`, down to the indexed member
 * `:list_owner`, whose own downline is in its list. The lateral form asks the index for each
 * member, whatever the planner expects.
 */
export const walked = (columns: string): string => `walked as (
    select ${columns} from community_member where referrer_id = :walk_from
    union all
    select m.* from walked cross join lateral (
      select ${columns} from community_member where referrer_id = walked.user_id offset 0
    ) m
    where walked.user_id is distinct from :list_owner::bigint
  )`;

const VIEWER = defineStatement(
  'community_viewer',
  `select m.user_id as "userId", m.depth, s.direct_count as "directCount",
    s.downline_count as "downlineCount", s.downline_amount as "downlineAmount",
    coalesce(p.amount, 0) as "ownAmount",
    case when not s.is_indexed and s.downline_count > 0 then m.user_id end as "walkFrom",
    l.user_id as "listOwner", coalesce(l.downline_count, 0) as "listLength",
    c.last_join_no as "lastNo", c.revision, c.epoch
  from community_member m
    join community_stats s on s.user_id = m.user_id
    left join community_purchase_total p on p.user_id = m.user_id
    left join community_stats l
      on l.user_id = case when s.is_indexed then s.user_id else s.indexed_descendant_id end
    cross join community_state c
  where m.user_id = :user`,
);

/** A user's place in the tree; undefined until the roll-up has inserted the user. */
export async function findViewer(db: Db, userId: number): Promise<Viewer | undefined> {
  return (await execute<Viewer>(db, VIEWER, { user: userId })).rows[0];
}

const JOIN_RANGE = defineStatement(
  'community_join_range',
  `select
    case when :from::timestamptz is null then 0 else community_last_join_before(:from)
      end as "afterNo",
    least(:last_no::int, case when :before::timestamptz is not null
      then community_last_join_before(:before) end) as "untilNo"`,
);

/** Instants as join numbers: `joined_at` grows with the number. */
export async function toOrdinalRange(
  db: Db,
  { lastNo }: Viewer,
  { from, before }: { from?: Date; before?: Date },
): Promise<OrdinalRange> {
  const all = { afterNo: 0, untilNo: lastNo };
  if (!from && !before) return all;
  const values = { from: from ?? null, before: before ?? null, last_no: lastNo };
  return (await execute<OrdinalRange>(db, JOIN_RANGE, values)).rows[0] ?? all;
}

/** Reads the members below a viewer who are in no list; oldest first. */
export type Traverse = (db: Db, viewer: Viewer, range: OrdinalRange) => Promise<Int32Array>;

const TRAVERSE = defineStatement(
  'community_traverse',
  `with recursive ${walked('user_id, join_no')}
  select array_agg(join_no order by join_no) as "joinNos" from walked
  where join_no > :after and join_no <= :until`,
);

/** Walks the tree. */
export const traverse: Traverse = async (db, { walkFrom, listOwner }, { afterNo, untilNo }) => {
  const { rows } = await execute<{ joinNos: number[] | null }>(db, TRAVERSE, {
    walk_from: walkFrom,
    list_owner: listOwner,
    after: afterNo,
    until: untilNo,
  });
  return Int32Array.from(rows[0]?.joinNos ?? []);
};

const NONE = new Int32Array();

/** Number of ordinals with a join number up to a bound. */
export const RANK = { direct: 'community_direct_rank', list: 'community_downline_rank' } as const;

const defineClip = (kind: Sequence['kind']) =>
  defineStatement(
    `community_clip_${kind}`,
    `select ${RANK[kind]}(:owner, :length, :after) + 1 as first,
    ${RANK[kind]}(:owner, :length, :until) as last`,
  );
const CLIP = { direct: defineClip('direct'), list: defineClip('list') };

async function clipToRange(
  db: Db,
  sequence: Sequence,
  viewer: Viewer,
  { afterNo, untilNo }: OrdinalRange,
): Promise<Sequence> {
  if (afterNo === 0 && untilNo === viewer.lastNo) return sequence;
  const { kind, ownerId, last } = sequence;
  const values = { owner: ownerId, length: last, after: afterNo, until: untilNo };
  const { rows } = await execute<{ first: number; last: number }>(db, CLIP[kind], values);
  return { ...sequence, ...rows[0] };
}

export interface Selector {
  readonly type: MemberType;
  readonly range: OrdinalRange;
}

/** The members of a viewer's community, or its direct referrals, who joined in a range. */
export async function openDownline(
  db: Db,
  viewer: Viewer,
  { type, range }: Selector,
  readWalked: Traverse = traverse,
): Promise<Sequence> {
  const { userId, directCount, walkFrom, listOwner, listLength } = viewer;
  const clip = (kind: Sequence['kind'], ownerId: number, last: number) =>
    clipToRange(db, { kind, ownerId, first: 1, last, others: NONE }, viewer, range);
  if (type === 'DIRECT') return clip('direct', userId, directCount);
  const others = walkFrom === null ? NONE : await readWalked(db, viewer, range);
  return { ...(await clip('list', listOwner ?? 0, listLength)), others };
}

export function sizeOf({ first, last, others }: Sequence): number {
  return Math.max(0, last - first + 1) + others.length;
}

/** Ordinals of one owner: those of `kind` from `low` to `high`. */
export interface Ordinals extends Pick<Sequence, 'kind' | 'ownerId'> {
  readonly low: number;
  readonly high: number;
}

/** Ordinals `skip` to `skip + count` of a sequence that has nothing but ordinals, newest first. */
export function toOrdinals(sequence: Sequence, skip: number, count: number): Ordinals {
  const { kind, ownerId, first, last } = sequence;
  const high = last - skip;
  return { kind, ownerId, low: Math.max(first, high - count + 1), high };
}

const ORDINALS = {
  direct: defineStatement(
    'community_ordinals_direct',
    `select join_no from community_member
    where referrer_id = :owner and direct_no >= :low and direct_no <= :high
    order by direct_no desc`,
  ),
  list: defineStatement(
    'community_ordinals_list',
    `select join_no from community_downline
    where owner_id = :owner and seq >= :low and seq <= :high order by seq desc`,
  ),
};

async function readOrdinals(db: Db, { kind, ownerId, low, high }: Ordinals): Promise<number[]> {
  if (high < low) return [];
  const values = { owner: ownerId, low, high };
  const { rows } = await execute<{ join_no: number }>(db, ORDINALS[kind], values);
  return rows.map((row) => row.join_no);
}

const MERGE_POINT = defineStatement(
  'community_merge_point',
  'select community_merge_point(:owner, :first, :last, :others::int[], :skip) as n',
);

/** Join numbers `skip` to `skip + count` of a sequence, newest first. */
export async function readSequence(
  db: Db,
  sequence: Sequence,
  skip: number,
  count: number,
): Promise<number[]> {
  const { ownerId, first, last, others } = sequence;
  if (skip >= sizeOf(sequence)) return [];
  let skippedOthers = 0;
  if (last < first) skippedOthers = skip;
  else if (others.length > 0 && skip > 0) {
    const values = { owner: ownerId, first, last, others: [...others].reverse(), skip };
    skippedOthers = (await execute<{ n: number }>(db, MERGE_POINT, values)).rows[0]?.n ?? 0;
  }
  const listed = await readOrdinals(db, toOrdinals(sequence, skip - skippedOthers, count));
  const until = others.length - skippedOthers;
  const found = others.subarray(Math.max(0, until - count), Math.max(0, until));
  return [...listed, ...found].sort((a, b) => b - a).slice(0, count);
}

/** How many of the join numbers are at most `no`. */
export function countUpTo(joinNos: Int32Array, no: number): number {
  let low = 0;
  let high = joinNos.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((joinNos[middle] ?? 0) <= no) low = middle + 1;
    else high = middle;
  }
  return low;
}
