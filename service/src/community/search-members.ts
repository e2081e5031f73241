/**
 * Who of a community a keyword finds: nickname by substring, case and accent insensitive; address by substring for
 * direct referrals, in full for others. Results are join numbers, oldest first.
 */
import type { Db } from '../db/index.ts';
import {
  type MemberType,
  openDownline,
  readSequence,
  sizeOf,
  type Viewer,
} from './downline-sequence.ts';
import { keepMembers } from './filter-to-downline.ts';

/** $1 viewer, $2 last number, $3 keyword. */
const MATCHES = `((community_fold($3) <> '' and position(community_fold($3) in m.name) > 0) or m.email = lower($3)
  or (m.referrer_id = $1 and position(lower($3) in m.email) > 0))`;

const DIRECT = `select m.join_no from community_member m where m.referrer_id = $1 and m.join_no <= $2 and ${MATCHES}`;

/** $4 heavy lead. */
const WALK = `with recursive light as (
    select user_id, join_no from community_member where referrer_id = $1
    union all
    select m.user_id, m.join_no from light cross join lateral (select user_id, join_no from community_member where referrer_id = light.user_id offset 0) m
    where light.user_id is distinct from $4::bigint
  ), everyone as (select join_no from light union all select join_no from community_list where lead_id = $4)
  select m.join_no from everyone cross join lateral (select * from community_member where join_no = everyone.join_no limit 1) m
  where m.join_no <= $2 and ${MATCHES}`;

const LEAD = `select m.join_no from community_list l cross join lateral (select * from community_member where join_no = l.join_no limit 1) m
  where l.lead_id = $1 and m.join_no <= $2 and ${MATCHES}`;

/** Found by the trigram index in the whole tree, $5 at most; $3 is the pattern. */
const NAMED =
  'select join_no from community_member where name like $3 and join_no <= $2 and depth > $4 and user_id <> $1 limit $5';

/** Addresses need no index of their own here: one in full, or those of direct referrals. */
const BY_EMAIL = `
  select m.join_no from app_user u join community_member m on m.user_id = u.id
  where u.email_key = lower($3) and m.join_no <= $2 and m.depth > $4
  union
  select join_no from community_member where referrer_id = $1 and join_no <= $2 and position(lower($3) in email) > 0`;

/** Walking or reading this many is as quick as asking the index. */
const SCAN_MAX = 5000;
/** Fetching one who was found by the index costs about as much as reading this many of the downline. */
const FOUND_COST = 16;
/** The trigram index needs a word of three. */
const INDEXABLE = /[\p{L}\p{N}]{3}/u;

async function readNos(db: Db, text: string, values: readonly unknown[]): Promise<number[]> {
  const { rows } = await db.query<{ nos: number[] | null }>(
    `select array_agg(join_no order by join_no) as nos from (${text}) x`,
    values,
  );
  return rows[0]?.nos ?? [];
}

/** The search through the index; undefined when it found too many. */
async function searchIndex(db: Db, viewer: Viewer, keyword: string): Promise<number[] | undefined> {
  const { userId, lastNo, depth } = viewer;
  const { rows: folded } = await db.query<{ text: string }>('select community_fold($1) as text', [
    keyword,
  ]);
  const pattern = `%${(folded[0]?.text ?? '').replace(/[\\%_]/g, '\\$&')}%`;
  const foundMax = Math.ceil(viewer.downlineCount / FOUND_COST);
  const named = await readNos(db, NAMED, [userId, lastNo, pattern, depth, foundMax + 1]);
  if (named.length > foundMax) return undefined;
  const addressed = await readNos(db, BY_EMAIL, [userId, lastNo, keyword, depth]);
  return keepMembers(db, viewer, [...new Set([...named, ...addressed])]);
}

/** Everybody whom the keyword finds. */
export async function matchKeyword(
  db: Db,
  viewer: Viewer,
  type: MemberType,
  keyword: string,
): Promise<number[]> {
  const { userId, lastNo, isLead, heavyLeadId, downlineCount } = viewer;
  if (type === 'DIRECT') return readNos(db, DIRECT, [userId, lastNo, keyword]);
  const indexed =
    downlineCount > SCAN_MAX && INDEXABLE.test(keyword.normalize('NFKC'))
      ? await searchIndex(db, viewer, keyword)
      : undefined;
  if (indexed) return indexed;
  return isLead
    ? readNos(db, LEAD, [userId, lastNo, keyword])
    : readNos(db, WALK, [userId, lastNo, keyword, heavyLeadId]);
}

export interface Change {
  readonly joinNo: number;
  /** Belongs to the result now. */
  readonly isIn: boolean;
}

const CHANGED_MAX = 5000;

const RENAMED =
  'select join_no, referrer_id from community_member where renamed > $1 and renamed > 0 and join_no <= $2 limit $3';

/** Those renamed since a result was made who are in the sequence; undefined when they are too many to look at. */
async function findRenamed(
  db: Db,
  viewer: Viewer,
  type: MemberType,
  revision: number,
): Promise<number[] | undefined> {
  if (revision >= viewer.revision) return [];
  const { rows } = await db.query<{ join_no: number; referrer_id: number | null }>(RENAMED, [
    revision,
    viewer.lastNo,
    CHANGED_MAX + 1,
  ]);
  if (rows.length > CHANGED_MAX) return undefined;
  if (type === 'DIRECT')
    return rows.filter((row) => row.referrer_id === viewer.userId).map((row) => row.join_no);
  const nos = rows.map((row) => row.join_no);
  return keepMembers(db, viewer, nos);
}

/** What joins and renames since `lastNo` and `revision` change in a result; undefined when that is too much to look at. */
export async function findChanges(
  db: Db,
  viewer: Viewer,
  {
    type,
    keyword,
    lastNo,
    revision,
  }: { type: MemberType; keyword: string; lastNo: number; revision: number },
): Promise<Change[] | undefined> {
  const fresh = await openDownline(db, viewer, type, { afterNo: lastNo, untilNo: viewer.lastNo });
  if (sizeOf(fresh) > CHANGED_MAX) return undefined;
  const joined = await readSequence(db, fresh, 0, CHANGED_MAX);
  const renamed = await findRenamed(db, viewer, type, revision);
  if (renamed === undefined) return undefined;
  const changed = [...new Set([...joined, ...renamed])];
  if (changed.length === 0) return [];
  const matching = new Set(
    await readNos(
      db,
      `select m.join_no from community_member m where m.join_no <= $2 and m.join_no = any ($4::int[]) and ${MATCHES}`,
      [viewer.userId, viewer.lastNo, keyword, changed],
    ),
  );
  return changed.map((joinNo) => ({ joinNo, isIn: matching.has(joinNo) }));
}
