/**
 * Gives large downlines lists of their own, a bounded piece at a time. Only a finished list is read or appended to,
 * so that a kill or a burst of joins meanwhile does no harm: the next piece goes on from the last number taken in.
 */
import type { Transaction } from '../db/index.ts';
import { maxUnindexed, shouldMaterialise } from './tree.ts';

const PIECE = 5000;

interface Build {
  readonly lead_id: number;
  readonly built_no: number;
  readonly length: number;
  readonly downline_count: number;
  readonly heavy_lead_id: number | null;
  readonly heavy_count: number;
}

const BUILD = `select b.lead_id, b.built_no, b.length, s.downline_count, s.heavy_lead_id, coalesce(h.downline_count, 0) as heavy_count
  from community_list_build b join community_stats s on s.user_id = b.lead_id left join community_stats h on h.user_id = s.heavy_lead_id`;

async function findBuild(tx: Transaction, leadId: number): Promise<Build | undefined> {
  const { rows } = await tx.query<Build>(`${BUILD} where b.lead_id = $1`, [leadId]);
  return rows[0];
}

/**
 * Where the list serves most: down the path of children that hold nearly all of the downline, as far as who wanted the
 * list can still read through it. Else, below a chain, each of a thousand people in turn would get one.
 */
async function lowestPlace(
  tx: Transaction,
  { lead_id, downline_count, heavy_count }: Build,
): Promise<number> {
  const { rows } = await tx.query<{ user_id: number }>(
    `with recursive path as (
       select $1::bigint as user_id, 0 as step
       union all
       select c.user_id, path.step + 1 from path cross join lateral (
         select m.user_id from community_member m join community_stats s on s.user_id = m.user_id
         where m.referrer_id = path.user_id and s.downline_count >= $2 and not s.is_lead order by s.downline_count desc limit 1
       ) c
     ) select user_id from path order by step desc limit 1`,
    [lead_id, Math.ceil(downline_count - maxUnindexed(heavy_count) / 2)],
  );
  return rows[0]?.user_id ?? lead_id;
}

/** The list to go on with: one under way, or else the smallest, since a list below makes many above it needless. */
async function nextBuild(tx: Transaction): Promise<Build | undefined> {
  const { rows } = await tx.query<Build>(`${BUILD} order by b.length = 0, s.downline_count`);
  const needless = rows.filter(
    (build) => build.length === 0 && !shouldMaterialise(build.downline_count, build.heavy_count),
  );
  if (needless.length > 0)
    await tx.query('delete from community_list_build where lead_id = any($1)', [
      needless.map((build) => build.lead_id),
    ]);
  const build = rows.find((wanted) => !needless.includes(wanted));
  if (!build || build.length > 0) return build;
  const place = await lowestPlace(tx, build);
  if (place === build.lead_id) return build;
  await tx.query('insert into community_list_build (lead_id) values ($1) on conflict do nothing', [
    place,
  ]);
  return findBuild(tx, place);
}

/** Appends the next members of the downline, in the order of joining: those reached by walking, and the list below. */
async function appendPiece(
  tx: Transaction,
  { lead_id, built_no, length, heavy_lead_id, heavy_count }: Build,
): Promise<{ count: number; last: number }> {
  const { rows } = await tx.query<{ count: number; last: number }>(
    `with recursive light as (
       select user_id, join_no from community_member where referrer_id = $1
       union all
       select m.user_id, m.join_no from light cross join lateral (select user_id, join_no from community_member where referrer_id = light.user_id offset 0) m
       where light.user_id is distinct from $2::bigint
     ), source as (
       select join_no from light where join_no > $3
       union all
       (select join_no from community_list where lead_id = $2 and seq > community_list_rank($2, $4, $3) and seq <= $4 order by seq limit $6)
     ), piece as (select join_no from source order by join_no limit $6),
     added as (insert into community_list (lead_id, seq, join_no) select $1, $5 + row_number() over (order by join_no), join_no from piece returning join_no)
     select count(*) as count, coalesce(max(join_no), $3) as last from added`,
    [lead_id, heavy_lead_id, built_no, heavy_count, length, PIECE],
  );
  return rows[0] ?? { count: 0, last: built_no };
}

/**
 * Counts the levels of a list that is whole: those of the list below, and everybody reached by walking. Purchases that
 * wait in the queue are left to the roll-up.
 */
async function writeLevels(
  tx: Transaction,
  leadId: number,
  heavyLeadId: number | null,
): Promise<void> {
  await tx.query(
    `with recursive light as (
       select user_id, depth from community_member where referrer_id = $1
       union all
       select m.* from light cross join lateral (select user_id, depth from community_member where referrer_id = light.user_id offset 0) m
       where light.user_id is distinct from $2::bigint
     ), waiting as (select user_id, sum(amount) as amount from community_event where kind = 'amount' group by user_id),
     levels as (
       select light.depth, 1 as members, coalesce(p.amount, 0) - coalesce(w.amount, 0) as amount
       from light left join community_purchase_total p on p.user_id = light.user_id left join waiting w on w.user_id = light.user_id
       union all
       select depth, members, amount from community_level where lead_id = $2
     )
     insert into community_level select $1, depth, sum(members), sum(amount) from levels group by depth`,
    [leadId, heavyLeadId],
  );
}

/** From now on the list is read and appended to; ancestors that have no larger one below them read through it. */
async function finish(tx: Transaction, leadId: number, length: number): Promise<void> {
  await tx.query('delete from community_list_build where lead_id = $1', [leadId]);
  await tx.query(
    'update community_stats set is_lead = true, heavy_lead_id = null where user_id = $1',
    [leadId],
  );
  await tx.query(
    `with recursive up as (
       select referrer_id as id from community_member where user_id = $1
       union all
       select m.referrer_id from up join community_stats s on s.user_id = up.id and not s.is_lead join community_member m on m.user_id = up.id
     )
     update community_stats s set heavy_lead_id = $1 from up
     where s.user_id = up.id and not s.is_lead
       and not exists (select from community_stats h where h.user_id = s.heavy_lead_id and h.downline_count >= $2)`,
    [leadId, length],
  );
}

/** Builds one piece of one list, if one is wanting. The caller holds the lock of the tree. */
export async function buildListPiece(tx: Transaction): Promise<void> {
  const build = await nextBuild(tx);
  if (!build) return;
  const { count, last } = await appendPiece(tx, build);
  const length = build.length + count;
  if (count === PIECE)
    await tx.query(
      'update community_list_build set built_no = $2, length = $3 where lead_id = $1',
      [build.lead_id, last, length],
    );
  else {
    await writeLevels(tx, build.lead_id, build.heavy_lead_id);
    await finish(tx, build.lead_id, length);
  }
}
