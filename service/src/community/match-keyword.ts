/**
 * Who of a community a keyword finds: nickname by substring, case and accent insensitive; address by substring for
 * direct referrals, in full for others. Results are join numbers, oldest first.
 */
import type { Db } from '../db/index.ts';
import type { MemberType, Viewer } from './open-downline.ts';

/** $1 viewer, $2 last number, $3 keyword. */
const MATCHES = `(position(community_fold($3) in m.name) > 0 or m.email = lower($3)
  or (m.referrer_id = $1 and position(lower($3) in m.email) > 0))`;

const DIRECT = `select m.join_no from community_member m where m.referrer_id = $1 and m.join_no <= $2 and ${MATCHES}`;

/** $4 heavy lead. */
const WALK = `with recursive light as (
    select user_id, join_no from community_member where referrer_id = $1
    union all
    select m.user_id, m.join_no from light cross join lateral (select user_id, join_no from community_member where referrer_id = light.user_id offset 0) m
    where light.user_id is distinct from $4::bigint
  ), everyone as (select join_no from light union all select join_no from community_list where lead_id = $4)
  select m.join_no from everyone join community_member m on m.join_no = everyone.join_no where m.join_no <= $2 and ${MATCHES}`;

const LEAD = `select m.join_no from community_list l join community_member m on m.join_no = l.join_no
  where l.lead_id = $1 and m.join_no <= $2 and ${MATCHES}`;

/**
 * Of some members found anywhere (`found`), those below the viewer: walks up from all of them together, each ancestor
 * once, then down again from the viewer over what was met. $4 is the viewer's depth. Nobody is looked up when $5 or more
 * were found: the caller has another way then.
 */
function belowViewer(found: string): string {
  return `with recursive found as materialized (${found}),
    up as (
      select m.user_id, m.referrer_id, m.depth from found join community_member m on m.user_id = found.referrer_id
      where m.depth > $4 and (select count(*) from found) < $5
      union
      select m.user_id, m.referrer_id, m.depth from up join community_member m on m.user_id = up.referrer_id where m.depth > $4
    ),
    down as (
      select $1::bigint as user_id
      union all
      select up.user_id from down join up on up.referrer_id = down.user_id
    )
    select found.*, found.referrer_id in (select user_id from down) as is_below from found`;
}

/** Found by the trigram index in the whole tree, $5 at most; $3 is the pattern. */
const INDEXED = belowViewer(`
  select user_id, referrer_id, join_no from community_member where name like $3 and join_no <= $2 and depth > $4 limit $5`);

/** Addresses need no index of their own here: one in full, or those of direct referrals. */
const BY_EMAIL = belowViewer(`
  select m.user_id, m.referrer_id, m.join_no from app_user u join community_member m on m.user_id = u.id
  where u.email_key = lower($3) and m.join_no <= $2 and m.depth > $4
  union
  select user_id, referrer_id, join_no from community_member where referrer_id = $1 and join_no <= $2 and position(lower($3) in email) > 0`);

/** Members who joined or were renamed since a result was made, $5 at most. */
const CHANGED = belowViewer(`
  select m.user_id, m.referrer_id, m.join_no, ${MATCHES} as is_match from community_member m
  where m.join_no > $6 and m.join_no <= $2 and m.depth > $4
  union
  select m.user_id, m.referrer_id, m.join_no, ${MATCHES} from community_member m
  where m.renamed > $7 and m.renamed > 0 and m.join_no <= $2 and m.depth > $4 limit $5`);

/** Walking or reading this many is as quick as asking the index. */
const SCAN_MAX = 5000;
/** Walking up from one who was found costs about as much as reading this many of the downline. */
const WALK_COST = 16;
/** The trigram index needs a word of three. */
const INDEXABLE = /[\p{L}\p{N}]{3}/u;

async function readNos(db: Db, text: string, values: readonly unknown[]): Promise<number[]> {
  const { rows } = await db.query<{ nos: number[] | null }>(`select array_agg(join_no order by join_no) as nos from (${text}) x`, values);
  return rows[0]?.nos ?? [];
}

/** The search through the index; undefined when it found too many. */
async function searchIndex(db: Db, viewer: Viewer, keyword: string): Promise<number[] | undefined> {
  const { rows: folded } = await db.query<{ text: string }>('select community_fold($1) as text', [keyword]);
  const pattern = `%${(folded[0]?.text ?? '').replace(/[\\%_]/g, '\\$&')}%`;
  const foundMax = Math.ceil(viewer.downlineCount / WALK_COST);
  type Found = { join_no: number; is_below: boolean };
  const named = await db.query<Found>(INDEXED, [viewer.userId, viewer.lastNo, pattern, viewer.depth, foundMax + 1]);
  if (named.rowCount > foundMax) return undefined;
  const addressed = await db.query<Found>(BY_EMAIL, [viewer.userId, viewer.lastNo, keyword, viewer.depth, Number.MAX_SAFE_INTEGER]);
  const nos = [...named.rows, ...addressed.rows].filter((row) => row.is_below).map((row) => row.join_no);
  return [...new Set(nos)].sort((a, b) => a - b);
}

/** Everybody whom the keyword finds. */
export async function matchKeyword(db: Db, viewer: Viewer, type: MemberType, keyword: string): Promise<number[]> {
  const { userId, lastNo, isLead, heavyLeadId, downlineCount } = viewer;
  if (type === 'DIRECT') return readNos(db, DIRECT, [userId, lastNo, keyword]);
  const indexed = downlineCount > SCAN_MAX && INDEXABLE.test(keyword.normalize('NFKC')) ? await searchIndex(db, viewer, keyword) : undefined;
  if (indexed) return indexed;
  return isLead ? readNos(db, LEAD, [userId, lastNo, keyword]) : readNos(db, WALK, [userId, lastNo, keyword, heavyLeadId]);
}

export interface Change {
  readonly joinNo: number;
  /** Belongs to the result now. */
  readonly isIn: boolean;
}

const CHANGED_MAX = 5000;

/** What joins and renames since `lastNo` and `revision` change in a result; undefined when that is too much to look at. */
export async function findChanges(
  db: Db,
  viewer: Viewer,
  { type, keyword, lastNo, revision }: { type: MemberType; keyword: string; lastNo: number; revision: number },
): Promise<Change[] | undefined> {
  if (viewer.lastNo - lastNo > CHANGED_MAX) return undefined;
  const { rows } = await db.query<{ join_no: number; referrer_id: number; is_match: boolean; is_below: boolean }>(CHANGED, [
    viewer.userId,
    viewer.lastNo,
    keyword,
    viewer.depth,
    CHANGED_MAX + 1,
    lastNo,
    revision,
  ]);
  if (rows.length > CHANGED_MAX) return undefined;
  return rows.map((row) => ({ joinNo: row.join_no, isIn: row.is_match && (type === 'DIRECT' ? row.referrer_id === viewer.userId : row.is_below) }));
}
