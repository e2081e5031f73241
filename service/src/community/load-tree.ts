/** Reads what a batch of events touches: the new members, and every ancestor up to the roots. */
import type { Transaction } from '../db/index.ts';
import type { Tree, TreeNode } from './tree.ts';

/** A member to be added, with its number in the order of joining. */
export interface Join {
  readonly userId: number;
  readonly referrerId: number | null;
  readonly joinNo: number;
}

interface FreshRow {
  readonly id: number;
  readonly referrer_id: number | null;
}

/** People of the batch who are not in the tree yet, and ancestors of theirs whose own event is still to come. */
async function readFresh(tx: Transaction, userIds: readonly number[]): Promise<FreshRow[]> {
  const { rows } = await tx.prepared<FreshRow>(
    'community-fresh',
    `with recursive fresh as (
       select u.id, u.referrer_id, u.created_at from unnest($1::bigint[]) e (id) join app_user u on u.id = e.id
       where not exists (select from community_member m where m.user_id = u.id)
       union
       select u.id, u.referrer_id, u.created_at from fresh join app_user u on u.id = fresh.referrer_id
       where not exists (select from community_member m where m.user_id = u.id)
     )
     select id, referrer_id from fresh order by created_at, id`,
    [userIds],
  );
  return rows;
}

interface KnownRow {
  readonly user_id: number;
  readonly referrer_id: number | null;
  readonly depth: number;
  readonly is_lead: boolean;
  readonly direct_count: number;
  readonly downline_count: number;
  readonly heavy_lead_id: number | null;
  readonly heavy_count: number;
}

async function readAncestors(tx: Transaction, userIds: readonly number[]): Promise<KnownRow[]> {
  const { rows } = await tx.prepared<KnownRow>(
    'community-ancestors',
    `with recursive up as (
       select m.user_id, m.referrer_id, m.depth from unnest($1::bigint[]) e (id) join community_member m on m.user_id = e.id
       union
       select m.user_id, m.referrer_id, m.depth from up join community_member m on m.user_id = up.referrer_id
     )
     select up.user_id, up.referrer_id, up.depth, s.is_lead, s.direct_count, s.downline_count, s.heavy_lead_id,
       coalesce(h.downline_count, 0) as heavy_count
     from up join community_stats s on s.user_id = up.user_id left join community_stats h on h.user_id = s.heavy_lead_id`,
    [userIds],
  );
  return rows;
}

function toNode(row: KnownRow): TreeNode {
  return {
    userId: row.user_id,
    referrerId: row.referrer_id,
    depth: row.depth,
    isNew: false,
    isLead: row.is_lead,
    directCount: row.direct_count,
    downlineCount: row.downline_count,
    heavyLeadId: row.heavy_lead_id,
    heavyCount: row.heavy_count,
    newDirect: 0,
    newDownline: 0,
    newAmount: 0n,
  };
}

function toNewNode(row: FreshRow, depth: number): TreeNode {
  const { id: userId, referrer_id: referrerId } = row;
  return {
    userId,
    referrerId,
    depth,
    isNew: true,
    isLead: false,
    directCount: 0,
    downlineCount: 0,
    heavyLeadId: null,
    heavyCount: 0,
    newDirect: 0,
    newDownline: 0,
    newAmount: 0n,
  };
}

/** Reads the tree around `userIds`. */
export async function loadTree(
  tx: Transaction,
  userIds: readonly number[],
): Promise<{ tree: Tree; joins: Join[] }> {
  const fresh = await readFresh(tx, userIds);
  const freshIds = new Set(fresh.map((row) => row.id));
  const seeds = new Set(
    [...userIds, ...fresh.map((row) => row.referrer_id)].filter(
      (id) => id !== null && !freshIds.has(id),
    ),
  );
  const tree = new Map<number, TreeNode>();
  for (const row of await readAncestors(tx, [...seeds] as number[]))
    tree.set(row.user_id, toNode(row));
  // A referrer's id is always the smaller one: in the order of ids every referrer comes before those it referred.
  for (const row of [...fresh].sort((a, b) => a.id - b.id)) {
    const referrer = row.referrer_id === null ? undefined : tree.get(row.referrer_id);
    tree.set(row.id, toNewNode(row, referrer ? referrer.depth + 1 : 0));
  }
  const { rows } = await tx.query<{ last_join_no: number }>(
    'select last_join_no from community_state',
  );
  const last = rows[0]?.last_join_no ?? 0;
  return {
    tree,
    joins: fresh.map((row, index) => ({
      userId: row.id,
      referrerId: row.referrer_id,
      joinNo: last + index + 1,
    })),
  };
}
