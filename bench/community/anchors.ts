/**
 * Two usual ways to keep a tree, in the same database: adjacency with a recursive CTE, and a
 * closure table.
 */
import type { Database } from '../../service/src/db/index.ts';
import type { Million } from './million.ts';

const FIELDS = `u.id, u.nickname, u.email, u.referrer_id, u.created_at`;

/** Page 1 and the total by recursion over `app_user`. */
export async function recursivePage(database: Database, userId: number, offset = 0): Promise<void> {
  await database.query(
    `with recursive below as (
       select id from app_user where referrer_id = $1
       union all
       select u.id from below join app_user u on u.referrer_id = below.id
     )
     select ${FIELDS}, count(*) over () as total
     from below join app_user u on u.id = below.id
     order by u.created_at desc, u.id desc limit 20 offset $2`,
    [userId, offset],
  );
}

/** Only the chain and the members below it reach this depth. */
const CHAIN_DEPTH = 1000;

/**
 * Makes a closure table of all members except the long chain, which would add fifty million rows.
 */
export async function buildClosure({ database, places }: Million): Promise<void> {
  const { rows } = await database.query<{ found: boolean }>(
    "select to_regclass('closure') is not null as found",
  );
  if (rows[0]?.found) return;
  await database.query('set statement_timeout = 0');
  await database.query(
    `create unlogged table closure (
       ancestor_id bigint not null,
       created_at timestamptz not null,
       user_id bigint not null
     )`,
  );
  const { rows: levels } = await database.query<{ depth: number }>(
    `select max(depth) as depth from community_member
     where (user_id > $1 or user_id <= $1 - 10000) and depth < $2`,
    [places.chainTip, CHAIN_DEPTH],
  );
  // Level by level: the rows of a referrer are there before those of whom it referred.
  for (let depth = 1; depth <= (levels[0]?.depth ?? 0); depth++) {
    await database.query(
      `insert into closure
       select m.referrer_id, m.joined_at, m.user_id from community_member m
       where m.depth = $1 and not (m.user_id <= $2 and m.user_id > $2 - 10000)
       union all
       select c.ancestor_id, m.joined_at, m.user_id
       from community_member m join closure c on c.user_id = m.referrer_id
       where m.depth = $1 and not (m.user_id <= $2 and m.user_id > $2 - 10000)`,
      [depth, places.chainTip],
    );
    if (depth === 1) await database.query('create index closure_user_idx on closure (user_id)');
  }
  await database.query(
    'create unique index closure_page_idx on closure (ancestor_id, created_at desc, user_id desc)',
  );
  await database.query('vacuum analyze closure');
}

/** Page and total from the closure table. */
export async function closurePage(database: Database, userId: number, offset = 0): Promise<void> {
  await database.query(
    `select ${FIELDS} from (
       select user_id from closure where ancestor_id = $1
       order by created_at desc, user_id desc limit 20 offset $2
     ) c
     join app_user u on u.id = c.user_id`,
    [userId, offset],
  );
  await database.query('select count(*) from closure where ancestor_id = $1', [userId]);
}

/** Page and total of a keyword from the closure table. */
export async function closureSearch(
  database: Database,
  userId: number,
  keyword: string,
): Promise<void> {
  await database.query(
    `select ${FIELDS}, count(*) over () as total from closure c join app_user u on u.id = c.user_id
     where c.ancestor_id = $1
       and fold_for_search(u.nickname) like '%' || fold_for_search($2) || '%'
     order by c.created_at desc, c.user_id desc limit 20`,
    [userId, keyword],
  );
}
