/** Reads the part of the tree that a batch of events changes: new members, and all ancestors. */
import { defineStatement, execute, type Transaction } from '../db/index.ts';
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

/** Users who are not in the tree yet, and their ancestors whose own event is still queued. */
const FRESH = defineStatement(
  'community_fresh',
  `with recursive fresh as (
    select u.id, u.referrer_id, u.created_at
    from unnest(:users::bigint[]) e (id) join app_user u on u.id = e.id
    where not exists (select from community_member m where m.user_id = u.id)
    union
    select u.id, u.referrer_id, u.created_at
    from fresh join app_user u on u.id = fresh.referrer_id
    where not exists (select from community_member m where m.user_id = u.id)
  )
  select id, referrer_id from fresh order by created_at, id`,
);

const ANCESTORS = defineStatement(
  'community_ancestors',
  `with recursive up as (
    select m.user_id, m.referrer_id, m.depth
    from unnest(:users::bigint[]) e (id) join community_member m on m.user_id = e.id
    union
    select m.user_id, m.referrer_id, m.depth
    from up join community_member m on m.user_id = up.referrer_id
  )
  select up.user_id as "userId", up.referrer_id as "referrerId", up.depth,
    s.is_indexed as "isIndexed", s.direct_count as "directCount",
    s.downline_count as "downlineCount", s.indexed_descendant_id as "indexedDescendantId",
    coalesce(i.downline_count, 0) as "indexedCount"
  from up
    join community_stats s on s.user_id = up.user_id
    left join community_stats i on i.user_id = s.indexed_descendant_id`,
);

type StoredNode = Omit<TreeNode, 'isNew' | 'newDirect' | 'newDownline' | 'newAmount'>;

const UNCHANGED = { newDirect: 0, newDownline: 0, newAmount: 0n };

function toNewNode({ id, referrer_id }: FreshRow, depth: number): TreeNode {
  return {
    userId: id,
    referrerId: referrer_id,
    depth,
    isNew: true,
    isIndexed: false,
    directCount: 0,
    downlineCount: 0,
    indexedDescendantId: null,
    indexedCount: 0,
    ...UNCHANGED,
  };
}

/** Reads the tree around `userIds`. */
export async function loadTree(
  tx: Transaction,
  userIds: readonly number[],
): Promise<{ tree: Tree; joins: Join[] }> {
  const { rows: fresh } = await execute<FreshRow>(tx, FRESH, { users: userIds });
  const freshIds = new Set(fresh.map((row) => row.id));
  const seeds = new Set(
    [...userIds, ...fresh.map((row) => row.referrer_id)].filter(
      (id) => id !== null && !freshIds.has(id),
    ),
  );
  const tree = new Map<number, TreeNode>();
  const stored = await execute<StoredNode>(tx, ANCESTORS, { users: [...seeds] });
  for (const node of stored.rows) tree.set(node.userId, { ...node, isNew: false, ...UNCHANGED });
  // The id of a referrer is smaller than the ids of the referrals.
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
