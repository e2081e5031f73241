/** The part of the tree that a batch of events touches, and what the batch adds to it. Pure: no database. */

/** A member that a batch touches: a new one, one with a purchase, or an ancestor of these. */
export interface TreeNode {
  readonly userId: number;
  readonly referrerId: number | null;
  readonly depth: number;
  readonly isNew: boolean;
  readonly isLead: boolean;
  /** Figures before the batch. */
  readonly directCount: number;
  readonly downlineCount: number;
  /** The lead through which most of this member's downline can be read, and its downline; 0 without one. */
  readonly heavyLeadId: number | null;
  readonly heavyCount: number;
  /** What the batch adds. */
  newDirect: number;
  newDownline: number;
  newAmount: bigint;
}

export type Tree = ReadonlyMap<number, TreeNode>;

/** Own amounts, net, that the batch brings to members. */
export type Amounts = ReadonlyMap<number, bigint>;

/** Adds the batch's joins and amounts to every ancestor, deepest members first. */
export function accumulate(tree: Tree, amounts: Amounts): void {
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
  readonly leadIds: number[];
  readonly seqs: number[];
  readonly joinNos: number[];
}

/** For each member, its nearest ancestor that is a lead, itself included; null when there is none. */
function findNearestLeads(tree: Tree): Map<number, TreeNode | null> {
  const nearest = new Map<number, TreeNode | null>();
  const shallowFirst = [...tree.values()].sort((a, b) => a.depth - b.depth);
  for (const node of shallowFirst) {
    const above = node.referrerId === null ? null : (nearest.get(node.referrerId) ?? null);
    nearest.set(node.userId, node.isLead ? node : above);
  }
  return nearest;
}

/** Calls `visit` for every lead above a member, nearest first. */
function visitLeadsAbove(
  node: TreeNode,
  nearest: ReadonlyMap<number, TreeNode | null>,
  visit: (lead: TreeNode) => void,
): void {
  let at: TreeNode | null = node;
  while (at && at.referrerId !== null) {
    at = nearest.get(at.referrerId) ?? null;
    if (at) visit(at);
  }
}

/** Rows that the joins append to the lists of the leads above them. `joins` are in the order of their numbers. */
export function appendToLists(
  tree: Tree,
  joins: readonly { userId: number; joinNo: number }[],
): ListRows {
  const rows: ListRows = { leadIds: [], seqs: [], joinNos: [] };
  const nearest = findNearestLeads(tree);
  const lengths = new Map<number, number>();
  for (const { userId, joinNo } of joins) {
    const node = tree.get(userId);
    if (!node) continue;
    visitLeadsAbove(node, nearest, (lead) => {
      const length = (lengths.get(lead.userId) ?? lead.downlineCount) + 1;
      lengths.set(lead.userId, length);
      rows.leadIds.push(lead.userId);
      rows.seqs.push(length);
      rows.joinNos.push(joinNo);
    });
  }
  return rows;
}

export interface LevelChange {
  readonly leadId: number;
  readonly depth: number;
  members: number;
  amount: bigint;
}

/** What the batch adds to the levels of the leads above. */
export function addToLevels(tree: Tree, amounts: Amounts): LevelChange[] {
  const changes = new Map<string, LevelChange>();
  const nearest = findNearestLeads(tree);
  for (const node of tree.values()) {
    const amount = amounts.get(node.userId) ?? 0n;
    if (!node.isNew && amount === 0n) continue;
    visitLeadsAbove(node, nearest, ({ userId: leadId }) => {
      const key = `${leadId} ${node.depth}`;
      const change = changes.get(key) ?? { leadId, depth: node.depth, members: 0, amount: 0n };
      change.members += node.isNew ? 1 : 0;
      change.amount += amount;
      changes.set(key, change);
    });
  }
  return [...changes.values()];
}

/** Downlines below this are read by walking the tree: about a millisecond. */
export const LEAD_DOWNLINE_MIN = 1000;
/** A list of its own needs this many members beyond the list of the heaviest lead below, ... */
const LEAD_EXCESS_MIN = 256;
/** ... or this share of it: sizes grow geometrically along a path, so a path of any length holds few leads. */
const LEAD_EXCESS_SHARE = 1 / 16;

/** How far a downline may exceed the largest list below it and still be read through it. */
export function maxUnindexed(heavyCount: number): number {
  return Math.max(LEAD_EXCESS_MIN, heavyCount * LEAD_EXCESS_SHARE);
}

/** Does a downline of this size need a list of its own, given the largest list below it? */
export function shouldMaterialise(downlineCount: number, heavyCount: number): boolean {
  return (
    downlineCount >= LEAD_DOWNLINE_MIN && downlineCount - heavyCount >= maxUnindexed(heavyCount)
  );
}
