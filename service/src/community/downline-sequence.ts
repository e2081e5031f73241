/**
 * A downline (or the direct referrals) as one sequence in the order of joining, whatever it is stored as: a run of
 * ordinals in the database, numbers collected by walking the tree, or both. Counting and reading at any offset cost
 * a few index probes and never depend on the size.
 *
 * Everything is read as of one `lastNo`: members are only ever appended, so several statements see the same sequence.
 */
import type { Db } from '../db/index.ts';

export type MemberType = 'DIRECT' | 'COMMUNITY';

export interface Viewer {
  readonly userId: number;
  readonly depth: number;
  readonly directCount: number;
  readonly downlineCount: number;
  readonly isLead: boolean;
  readonly heavyLeadId: number | null;
  readonly heavyCount: number;
  /** Number of the last join when the viewer was read. */
  readonly lastNo: number;
  readonly revision: number;
  /** Numbers of joining are of this making of the tree. */
  readonly epoch: number;
}

/** Members in the order of joining; `ordinals` and `others` do not overlap. */
export interface Sequence {
  readonly kind: 'direct' | 'list';
  /** Whose ordinals. */
  readonly ownerId: number;
  /** First and last ordinal; none when last < first. */
  readonly first: number;
  readonly last: number;
  /** Join numbers besides the ordinals, oldest first. */
  readonly others: Int32Array;
}

/** Join numbers from `afterNo` (not included) to `untilNo` (included). */
export interface OrdinalRange {
  readonly afterNo: number;
  readonly untilNo: number;
}

interface ViewerRow {
  readonly depth: number;
  readonly direct_count: number;
  readonly downline_count: number;
  readonly is_lead: boolean;
  readonly heavy_lead_id: number | null;
  readonly heavy_count: number;
  readonly last_no: number;
  readonly revision: number;
  readonly epoch: number;
}

/** A person's place in the tree; undefined until the roll-up has seen them. */
export async function findViewer(db: Db, userId: number): Promise<Viewer | undefined> {
  const { rows } = await db.prepared<ViewerRow>(
    'community-viewer',
    `select m.depth, s.direct_count, s.downline_count, s.is_lead, s.heavy_lead_id, coalesce(h.downline_count, 0) as heavy_count,
       c.last_join_no as last_no, c.revision, c.epoch
     from community_member m join community_stats s on s.user_id = m.user_id left join community_stats h on h.user_id = s.heavy_lead_id
     cross join community_state c where m.user_id = $1`,
    [userId],
  );
  const row = rows[0];
  return (
    row && {
      userId,
      depth: row.depth,
      directCount: row.direct_count,
      downlineCount: row.downline_count,
      isLead: row.is_lead,
      heavyLeadId: row.heavy_lead_id,
      heavyCount: row.heavy_count,
      lastNo: row.last_no,
      revision: row.revision,
      epoch: row.epoch,
    }
  );
}

/** Instants as join numbers: `joined_at` grows with the number. */
export async function toNoRange(
  db: Db,
  viewer: Viewer,
  { from, before }: { from?: Date; before?: Date },
): Promise<OrdinalRange> {
  if (!from && !before) return { afterNo: 0, untilNo: viewer.lastNo };
  const { rows } = await db.prepared<{ after_no: number; until_no: number }>(
    'community-no-range',
    `select case when $1::timestamptz is null then 0 else community_last_join_before($1) end as after_no,
       case when $2::timestamptz is null then $3::int else least($3::int, community_last_join_before($2)) end as until_no`,
    [from ?? null, before ?? null, viewer.lastNo],
  );
  return { afterNo: rows[0]?.after_no ?? 0, untilNo: rows[0]?.until_no ?? 0 };
}

/** Reads the members below a viewer that walking reaches, up to the heavy lead; oldest first. */
export type Walk = (db: Db, viewer: Viewer, range: OrdinalRange) => Promise<Int32Array>;

/** Walks the tree. */
export async function walk(db: Db, viewer: Viewer, range: OrdinalRange): Promise<Int32Array> {
  const { rows } = await db.prepared<{ nos: number[] | null }>(
    'community-walk',
    `with recursive light as (
       select user_id, join_no from community_member where referrer_id = $1
       union all
       select m.user_id, m.join_no from light cross join lateral (select user_id, join_no from community_member where referrer_id = light.user_id offset 0) m
       where light.user_id is distinct from $2::bigint
     ) select array_agg(join_no order by join_no) as nos from light where join_no > $3 and join_no <= $4`,
    [viewer.userId, viewer.heavyLeadId, range.afterNo, range.untilNo],
  );
  return Int32Array.from(rows[0]?.nos ?? []);
}

const NOBODY = new Int32Array();

async function cut(
  db: Db,
  sequence: Sequence,
  viewer: Viewer,
  range: OrdinalRange,
): Promise<Sequence> {
  if (range.afterNo === 0 && range.untilNo === viewer.lastNo) return sequence;
  const rank = sequence.kind === 'direct' ? 'community_direct_rank' : 'community_list_rank';
  const { rows } = await db.prepared<{ before: number; until: number }>(
    `community-cut-${sequence.kind}`,
    `select ${rank}($1, $2, $3) as before, ${rank}($1, $2, $4) as until`,
    [sequence.ownerId, sequence.last, range.afterNo, range.untilNo],
  );
  return { ...sequence, first: (rows[0]?.before ?? 0) + 1, last: rows[0]?.until ?? 0 };
}

/** The members of a viewer's community, or its direct referrals, who joined in a range. */
export async function openDownline(
  db: Db,
  viewer: Viewer,
  type: MemberType,
  range: OrdinalRange,
  readWalked: Walk = walk,
): Promise<Sequence> {
  const { userId, isLead, heavyLeadId } = viewer;
  if (type === 'DIRECT')
    return cut(
      db,
      { kind: 'direct', ownerId: userId, first: 1, last: viewer.directCount, others: NOBODY },
      viewer,
      range,
    );
  if (isLead)
    return cut(
      db,
      { kind: 'list', ownerId: userId, first: 1, last: viewer.downlineCount, others: NOBODY },
      viewer,
      range,
    );
  const others = viewer.downlineCount === 0 ? NOBODY : await readWalked(db, viewer, range);
  const list = await cut(
    db,
    {
      kind: 'list',
      ownerId: heavyLeadId ?? 0,
      first: 1,
      last: heavyLeadId === null ? 0 : viewer.heavyCount,
      others: NOBODY,
    },
    viewer,
    range,
  );
  return { ...list, others };
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

async function readOrdinals(db: Db, { kind, ownerId, low, high }: Ordinals): Promise<number[]> {
  if (high < low) return [];
  const text =
    kind === 'direct'
      ? 'select join_no from community_member where referrer_id = $1 and direct_no >= $2 and direct_no <= $3 order by direct_no desc'
      : 'select join_no from community_list where lead_id = $1 and seq >= $2 and seq <= $3 order by seq desc';
  const { rows } = await db.prepared<{ join_no: number }>(`community-ordinals-${kind}`, text, [
    ownerId,
    low,
    high,
  ]);
  return rows.map((row) => row.join_no);
}

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
    const { rows } = await db.prepared<{ n: number }>(
      'community-split',
      'select community_split($1, $2, $3, $4::int[], $5) as n',
      [ownerId, first, last, [...others].reverse(), skip],
    );
    skippedOthers = rows[0]?.n ?? 0;
  }
  const listed = await readOrdinals(db, toOrdinals(sequence, skip - skippedOthers, count));
  const until = others.length - skippedOthers;
  const walked = others.subarray(Math.max(0, until - count), Math.max(0, until));
  return [...listed, ...walked].sort((a, b) => b - a).slice(0, count);
}

/** How many of the numbers are at most `no`. */
export function countUpTo(nos: Int32Array, no: number): number {
  let low = 0;
  let high = nos.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((nos[middle] ?? 0) <= no) low = middle + 1;
    else high = middle;
  }
  return low;
}
