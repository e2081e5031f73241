/**
 * The part of the tree that a batch of events touches, and what the batch adds to it. Pure: no
 * database.
 */

/** A member that a batch touches: a new one, one with a purchase, or an ancestor of these. */
export interface TreeNode {
  readonly userId: number;
  readonly referrerId: number | null;
  readonly depth: number;
  readonly isNew: boolean;
  readonly isIndexed: boolean;
  /** Figures before the batch. */
  readonly directCount: number;
  readonly downlineCount: number;
  /**
   * The indexed member below this one with the longest list, and the length of the list; 0: none.
   */
  readonly indexedDescendantId: number | null;
  readonly indexedCount: number;
  /** What the batch adds. */
  newDirect: number;
  newDownline: number;
  newAmount: bigint;
}

export type Tree = ReadonlyMap<number, TreeNode>;

/** Purchases less refunds that the batch adds, by member. */
export type PurchaseTotals = ReadonlyMap<number, bigint>;

/** Adds the batch's joins and amounts to every ancestor, deepest members first. */
export function accumulate(tree: Tree, amounts: PurchaseTotals): void {
  const deepestFirst = [...tree.values()].sort((a, b) => b.depth - a.depth);
  for (const node of deepestFirst) {
    const referrer = node.referrerId === null ? undefined : tree.get(node.referrerId);
    if (!referrer) continue;
    if (node.isNew) referrer.newDirect += 1;
    referrer.newDownline += node.newDownline + (node.isNew ? 1 : 0);
    referrer.newAmount += node.newAmount + (amounts.get(node.userId) ?? 0n);
  }
}

export interface ListRows {
  readonly ownerIds: number[];
  readonly seqs: number[];
  readonly joinNos: number[];
}

/** For each member, the nearest indexed ancestor, itself included; null: none. */
function findNearestIndexed(tree: Tree): Map<number, TreeNode | null> {
  const nearest = new Map<number, TreeNode | null>();
  const shallowFirst = [...tree.values()].sort((a, b) => a.depth - b.depth);
  for (const node of shallowFirst) {
    const above = node.referrerId === null ? null : (nearest.get(node.referrerId) ?? null);
    nearest.set(node.userId, node.isIndexed ? node : above);
  }
  return nearest;
}

/** Calls `visit` for every indexed member above a member, nearest first. */
function visitIndexedAbove(
  node: TreeNode,
  nearest: ReadonlyMap<number, TreeNode | null>,
  visit: (indexed: TreeNode) => void,
): void {
  let at: TreeNode | null = node;
  while (at && at.referrerId !== null) {
    at = nearest.get(at.referrerId) ?? null;
    if (at) visit(at);
  }
}

/** Rows that joins append to the lists above them. `joins` are in the order of their numbers. */
export function appendToLists(
  tree: Tree,
  joins: readonly { userId: number; joinNo: number }[],
): ListRows {
  const rows: ListRows = { ownerIds: [], seqs: [], joinNos: [] };
  const nearest = findNearestIndexed(tree);
  const lengths = new Map<number, number>();
  for (const { userId, joinNo } of joins) {
    const node = tree.get(userId);
    if (!node) continue;
    visitIndexedAbove(node, nearest, (indexed) => {
      const length = (lengths.get(indexed.userId) ?? indexed.downlineCount) + 1;
      lengths.set(indexed.userId, length);
      rows.ownerIds.push(indexed.userId);
      rows.seqs.push(length);
      rows.joinNos.push(joinNo);
    });
  }
  return rows;
}

export interface DepthChange {
  readonly ownerId: number;
  readonly depth: number;
  members: number;
  amount: bigint;
}

/** What the batch adds to the totals by depth of the indexed members above. */
export function addToDepthTotals(tree: Tree, amounts: PurchaseTotals): DepthChange[] {
  const changes = new Map<string, DepthChange>();
  const nearest = findNearestIndexed(tree);
  for (const node of tree.values()) {
    const amount = amounts.get(node.userId) ?? 0n;
    if (!node.isNew && amount === 0n) continue;
    visitIndexedAbove(node, nearest, ({ userId: ownerId }) => {
      const key = `${ownerId} ${node.depth}`;
      const change = changes.get(key) ?? { ownerId, depth: node.depth, members: 0, amount: 0n };
      change.members += node.isNew ? 1 : 0;
      change.amount += amount;
      changes.set(key, change);
    });
  }
  return [...changes.values()];
}

/** Smaller downlines are read by a tree walk: about a millisecond. */
export const INDEXED_MIN = 1000;
/** A list needs this many members beyond the longest list below, … */
const UNINDEXED_MIN = 256;
/**
 * … or this share of it, if that is more: sizes grow geometrically along a path, so that a path
 * of any length has few lists.
 */
const UNINDEXED_SHARE = 1 / 16;

/** How many members beyond the longest list below may be left to a tree walk. */
export function maxUnindexed(indexedCount: number): number {
  return Math.max(UNINDEXED_MIN, indexedCount * UNINDEXED_SHARE);
}

/** Does a downline of this size need a list, given the longest list below it? */
export function shouldMaterialise(downlineCount: number, indexedCount: number): boolean {
  return downlineCount >= INDEXED_MIN && downlineCount - indexedCount >= maxUnindexed(indexedCount);
}
