/**
 * Which members of a sequence a keyword matches: nickname by substring, case and accent
 * insensitive; address by substring for direct referrals, in full for others. Results are join
 * numbers, oldest first.
 */
import { type Db, defineStatement, execute, executeUnprepared } from '../db/index.ts';
import {
  countUpTo,
  type OrdinalRange,
  type Sequence,
  sizeOf,
  type Viewer,
} from './downline-sequence.ts';

const MATCHES = `(
      fold_for_search(:keyword) <> '' and position(fold_for_search(:keyword) in m.name) > 0
      or m.email = lower(:keyword)
      or m.referrer_id = :viewer and position(lower(:keyword) in m.email) > 0
    )`;

const BY_NUMBER = `cross join lateral (
      select * from community_member where join_no = k.join_no limit 1
    ) m`;

/** Every member of the sequence is read. */
const SCAN = {
  direct: defineStatement(
    'community_scan_direct',
    `select array_agg(join_no order by join_no) as "joinNos" from community_member m
    where m.referrer_id = :owner and m.direct_no >= :first and m.direct_no <= :last
      and ${MATCHES}`,
  ),
  list: defineStatement(
    'community_scan_list',
    `select array_agg(m.join_no order by m.join_no) as "joinNos"
    from (
      select join_no from community_downline
      where owner_id = :owner and seq >= :first and seq <= :last
      union all
      select unnest(:others::int[])
    ) k ${BY_NUMBER}
    where ${MATCHES}`,
  ),
};

/** Matches of the trigram index in the whole tree, `:limit` at most. */
const NAMED = defineStatement(
  'community_named',
  `select join_no from community_member
  where name like
      '%' || regexp_replace(fold_for_search(:keyword), '([\\\\%_])', '\\\\\\1', 'g') || '%'
    and join_no > :after and join_no <= :until and depth > :depth limit :limit`,
);

/** A whole address has an index in `app_user`; direct referrals are scanned. */
const ADDRESSED = defineStatement(
  'community_addressed',
  `select m.join_no from app_user u join community_member m on m.user_id = u.id
  where u.email_key = lower(:keyword) and m.join_no > :after and m.join_no <= :until
    and m.depth > :depth
  union
  select join_no from community_member
  where referrer_id = :viewer and join_no > :after and join_no <= :until
    and position(lower(:keyword) in email) > 0`,
);

/** Binary search in the list for each number. */
const LISTED = defineStatement(
  'community_listed',
  `select n as join_no from unnest(:join_nos::int[]) n
  where exists (
    select from community_downline
    where owner_id = :owner and seq = community_downline_rank(:owner, :length, n) and join_no = n
  )`,
);

interface JoinRow {
  readonly join_no: number;
}

/** Scanning this many members is as fast as the index. */
const SCAN_MAX = 5000;
/** A match of the index costs as much as scanning this many members. */
const MATCH_COST = 400;
/** The trigram index needs a word of three characters. */
const INDEXABLE = /[\p{L}\p{N}]{3}/u;

/** Those of `joinNos` that are in the sequence, oldest first. */
async function filterToSequence(
  db: Db,
  { ownerId, last, others }: Sequence,
  joinNos: readonly number[],
): Promise<number[]> {
  const values = { owner: ownerId, length: last, join_nos: joinNos };
  const { rows } = await execute<JoinRow>(db, LISTED, values);
  return [
    ...joinNos.filter((no) => others[countUpTo(others, no) - 1] === no),
    ...rows.map(({ join_no }) => join_no),
  ].sort((a, b) => a - b);
}

export interface Search {
  readonly keyword: string;
  /** The range of the sequence. */
  readonly range: OrdinalRange;
}

/** The search through the index; undefined when it matches too many. */
async function searchIndex(
  db: Db,
  { userId, depth }: Viewer,
  sequence: Sequence,
  { keyword, range }: Search,
): Promise<number[] | undefined> {
  const limit = Math.ceil(sizeOf(sequence) / MATCH_COST) + 1;
  const values = { keyword, after: range.afterNo, until: range.untilNo, depth };
  const named = (await executeUnprepared<JoinRow>(db, NAMED, { ...values, limit })).rows;
  if (named.length === limit) return undefined;
  const addressed = await executeUnprepared<JoinRow>(db, ADDRESSED, { ...values, viewer: userId });
  const found = new Set([...named, ...addressed.rows].map(({ join_no }) => join_no));
  return filterToSequence(db, sequence, [...found]);
}

/** All members of the sequence that the keyword matches. */
export async function searchMembers(
  db: Db,
  viewer: Viewer,
  sequence: Sequence,
  search: Search,
): Promise<number[]> {
  const { kind, ownerId, first, last, others } = sequence;
  const { keyword } = search;
  if (kind === 'list' && sizeOf(sequence) > SCAN_MAX && INDEXABLE.test(keyword.normalize('NFKC'))) {
    const found = await searchIndex(db, viewer, sequence, search);
    if (found) return found;
  }
  const { rows } = await executeUnprepared<{ joinNos: number[] | null }>(db, SCAN[kind], {
    viewer: viewer.userId,
    keyword,
    owner: ownerId,
    first,
    last,
    others: [...others],
  });
  return rows[0]?.joinNos ?? [];
}
