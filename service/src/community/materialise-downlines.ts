/**
 * Builds the lists of large downlines in bounded pieces. Only a finished list is read or appended
 * to, so that a kill or joins meanwhile do no harm: the next piece continues after the last number.
 */
import { defineStatement, execute, queryNamed, type Transaction } from '../db/index.ts';
import { walked } from './downline-sequence.ts';
import { maxUnindexed, shouldMaterialise } from './tree.ts';

const PIECE = 5000;

interface Build {
  readonly ownerId: number;
  readonly builtNo: number;
  readonly length: number;
  readonly downlineCount: number;
  readonly indexedDescendantId: number | null;
  readonly indexedCount: number;
}

const BUILD = `select b.owner_id as "ownerId", b.built_no as "builtNo", b.length,
    s.downline_count as "downlineCount", s.indexed_descendant_id as "indexedDescendantId",
    coalesce(i.downline_count, 0) as "indexedCount"
  from community_downline_build b
    join community_stats s on s.user_id = b.owner_id
    left join community_stats i on i.user_id = s.indexed_descendant_id`;

/**
 * The place where the list serves most members: down the path of children that have nearly all of
 * the downline, as far as the member who needs the list can still read through it. Otherwise each
 * of a thousand members of a chain would get a list in turn.
 */
const LOWEST_PLACE = defineStatement(
  'community_lowest_place',
  `with recursive path as (
    select :owner::bigint as user_id, 0 as step
    union all
    select c.user_id, path.step + 1
    from path cross join lateral (
      select m.user_id from community_member m join community_stats s on s.user_id = m.user_id
      where m.referrer_id = path.user_id and s.downline_count >= :least and not s.is_indexed
      order by s.downline_count desc limit 1
    ) c
  )
  select user_id as id from path order by step desc limit 1`,
);

/** The next list: one that is begun, else the smallest, which may make lists above it needless. */
async function nextBuild(tx: Transaction): Promise<Build | undefined> {
  const { rows } = await tx.query<Build>(`${BUILD} order by b.length = 0, s.downline_count`);
  const isNeedless = ({ length, downlineCount, indexedCount }: Build): boolean =>
    length === 0 && !shouldMaterialise(downlineCount, indexedCount);
  const needless = rows.filter(isNeedless).map(({ ownerId }) => ownerId);
  if (needless.length > 0)
    await tx.query('delete from community_downline_build where owner_id = any($1)', [needless]);
  const build = rows.find((row) => !isNeedless(row));
  if (!build || build.length > 0) return build;
  const place = await execute<{ id: number }>(tx, LOWEST_PLACE, {
    owner: build.ownerId,
    least: Math.ceil(build.downlineCount - maxUnindexed(build.indexedCount) / 2),
  });
  const id = place.rows[0]?.id ?? build.ownerId;
  await tx.query(
    'insert into community_downline_build (owner_id) values ($1) on conflict do nothing',
    [id],
  );
  return (await tx.query<Build>(`${BUILD} where b.owner_id = $1`, [id])).rows[0];
}

/** Appends the next members in the order of joining: walked ones, and those of the list below. */
const APPEND = defineStatement(
  'community_append_piece',
  `with recursive ${walked('user_id, join_no')},
  source as (
    select join_no from walked where join_no > :built_no
    union all
    (
      select join_no from community_downline
      where owner_id = :list_owner and seq <= :list_length
        and seq > community_downline_rank(:list_owner, :list_length, :built_no)
      order by seq limit :piece
    )
  ),
  piece as (select join_no from source order by join_no limit :piece),
  added as (
    insert into community_downline (owner_id, seq, join_no)
    select :walk_from, :length + row_number() over (order by join_no), join_no from piece
    returning join_no
  )
  select count(*) as count, coalesce(max(join_no), :built_no) as last from added`,
);

/** Totals by depth of a finished list. Queued purchases are left to the roll-up. */
const INSERT_DEPTH_TOTALS = defineStatement(
  'community_insert_depth_totals',
  `with recursive ${walked('user_id, depth')},
  queued as (
    select user_id, sum(amount) as amount from community_event where kind = 'amount'
    group by user_id
  ),
  total as (
    select w.depth, 1 as members, coalesce(p.amount, 0) - coalesce(q.amount, 0) as amount
    from walked w
      left join community_purchase_total p on p.user_id = w.user_id
      left join queued q on q.user_id = w.user_id
    union all
    select depth, members, amount from community_depth_total where owner_id = :list_owner
  )
  insert into community_depth_total (owner_id, depth, members, amount)
  select :walk_from, depth, sum(members), sum(amount) from total group by depth`,
);

/** Ancestors up to the next indexed one read through the list, unless they have a longer one. */
const READ_THROUGH = defineStatement(
  'community_read_through',
  `with recursive up as (
    select referrer_id as id from community_member where user_id = :owner
    union all
    select m.referrer_id
    from up
      join community_stats s on s.user_id = up.id and not s.is_indexed
      join community_member m on m.user_id = up.id
  )
  update community_stats s set indexed_descendant_id = :owner from up
  where s.user_id = up.id and not s.is_indexed
    and not exists (
      select from community_stats i
      where i.user_id = s.indexed_descendant_id and i.downline_count >= :length
    )`,
);

/** From now on the list is read and appended to. */
async function finish(tx: Transaction, build: Build, length: number): Promise<void> {
  const { ownerId: owner, indexedDescendantId } = build;
  await execute(tx, INSERT_DEPTH_TOTALS, { walk_from: owner, list_owner: indexedDescendantId });
  await tx.query('delete from community_downline_build where owner_id = $1', [owner]);
  await tx.query(
    `update community_stats set is_indexed = true, indexed_descendant_id = null
      where user_id = $1`,
    [owner],
  );
  await execute(tx, READ_THROUGH, { owner, length });
}

/**
 * Builds one piece of one list, if one is needed. The caller holds the lock of the tree.
 * @param piece how many members at most
 * @returns false when no list is needed
 */
export async function buildListPiece(tx: Transaction, piece = PIECE): Promise<boolean> {
  const build = await nextBuild(tx);
  if (!build) return false;
  const { rows } = await execute<{ count: number; last: number }>(tx, APPEND, {
    walk_from: build.ownerId,
    list_owner: build.indexedDescendantId,
    list_length: build.indexedCount,
    built_no: build.builtNo,
    length: build.length,
    piece,
  });
  const { count, last } = rows[0] ?? { count: 0, last: build.builtNo };
  const length = build.length + count;
  if (count < piece) await finish(tx, build, length);
  else
    await queryNamed(
      tx,
      `update community_downline_build set built_no = :last, length = :length
        where owner_id = :owner_id`,
      { owner_id: build.ownerId, last, length },
    );
  return true;
}
