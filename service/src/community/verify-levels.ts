/** Members and purchases by depth below each lead, recomputed from the tree and compared with what is stored. */
import type { Transaction } from '../db/index.ts';
import type { Recomputed } from './recompute-tree.ts';

interface Level {
  readonly members: number;
  readonly amount: bigint;
}

/** By lead and depth. */
export type Levels = ReadonlyMap<number, ReadonlyMap<number, Level>>;

export interface LevelMember {
  readonly userId: number;
  readonly isLead: boolean;
}

const CHUNK = 50_000;
const FIRST = { lead_id: 0, depth: -1 };

function addLevel(
  levels: Map<number, Map<number, Level>>,
  leadId: number,
  depth: number,
  { members, amount }: Level,
): void {
  const ofLead = levels.get(leadId) ?? new Map<number, Level>();
  const before = ofLead.get(depth);
  ofLead.set(depth, {
    members: (before?.members ?? 0) + members,
    amount: (before?.amount ?? 0n) + amount,
  });
  levels.set(leadId, ofLead);
}

export async function readLevels(tx: Transaction): Promise<Levels> {
  const levels = new Map<number, Map<number, Level>>();
  for (let last = FIRST; ; ) {
    const { rows } = await tx.query<{
      lead_id: number;
      depth: number;
      members: number;
      amount: string;
    }>(
      'select lead_id, depth, members, amount from community_level where (lead_id, depth) > ($1, $2) order by lead_id, depth limit $3',
      [last.lead_id, last.depth, CHUNK],
    );
    for (const { lead_id, depth, members, amount } of rows)
      addLevel(levels, lead_id, depth, { members, amount: BigInt(amount) });
    last = rows.at(-1) ?? last;
    if (rows.length < CHUNK) return levels;
  }
}

/** From lead to lead upwards, so that a chain of a million costs no more than its leads. */
function recomputeLevels(
  members: readonly LevelMember[],
  { parents, depths }: Recomputed,
  purchases: ReadonlyMap<number, bigint>,
): Levels {
  const levels = new Map<number, Map<number, Level>>();
  const leadAbove = new Int32Array(members.length);
  members.forEach(({ userId }, place) => {
    const parent = parents[place] ?? -1;
    leadAbove[place] = parent < 0 || members[parent]?.isLead ? parent : (leadAbove[parent] ?? -1);
    const own = { members: 1, amount: purchases.get(userId) ?? 0n };
    for (let at = leadAbove[place] ?? -1; at >= 0; at = leadAbove[at] ?? -1)
      addLevel(levels, members[at]?.userId ?? 0, depths[place] ?? 0, own);
  });
  return levels;
}

/** @param members in the order of user ids @param purchases of each, net */
export function compareLevels(
  members: readonly LevelMember[],
  truth: Recomputed,
  purchases: ReadonlyMap<number, bigint>,
  stored: Levels,
): string[] {
  const right = recomputeLevels(members, truth, purchases);
  const problems: string[] = [];
  for (const leadId of new Set([...right.keys(), ...stored.keys()])) {
    const depths = new Set([
      ...(right.get(leadId)?.keys() ?? []),
      ...(stored.get(leadId)?.keys() ?? []),
    ]);
    for (const depth of depths) {
      const is = stored.get(leadId)?.get(depth);
      const should = right.get(leadId)?.get(depth);
      if (is?.members !== should?.members || is?.amount !== should?.amount)
        problems.push(
          `levels of ${leadId}: at depth ${depth} ${is?.members ?? 0} members and ${is?.amount ?? 0n}, not ${should?.members ?? 0} and ${should?.amount ?? 0n}`,
        );
    }
  }
  return problems;
}
