/** Compares the stored totals by depth of each indexed member with the recomputed ones. */
import { queryNamed, type Transaction } from '../db/index.ts';
import type { Recomputed } from './recompute-tree.ts';

interface Level {
  readonly members: number;
  readonly amount: bigint;
}

/** By indexed member and depth. */
export type Levels = ReadonlyMap<number, ReadonlyMap<number, Level>>;

export interface LevelMember {
  readonly userId: number;
  readonly isIndexed: boolean;
}

const CHUNK = 50_000;
const FIRST = { owner_id: 0, depth: -1 };

function addLevel(
  levels: Map<number, Map<number, Level>>,
  ownerId: number,
  depth: number,
  { members, amount }: Level,
): void {
  const ofOwner = levels.get(ownerId) ?? new Map<number, Level>();
  const before = ofOwner.get(depth);
  ofOwner.set(depth, {
    members: (before?.members ?? 0) + members,
    amount: (before?.amount ?? 0n) + amount,
  });
  levels.set(ownerId, ofOwner);
}

export async function readLevels(tx: Transaction): Promise<Levels> {
  const levels = new Map<number, Map<number, Level>>();
  for (let last = FIRST; ; ) {
    const { rows } = await queryNamed<{
      owner_id: number;
      depth: number;
      members: number;
      amount: string;
    }>(
      tx,
      `select owner_id, depth, members, amount from community_depth_total
        where (owner_id, depth) > (:owner_id, :depth) order by owner_id, depth limit :chunk`,
      { owner_id: last.owner_id, depth: last.depth, chunk: CHUNK },
    );
    for (const { owner_id, depth, members, amount } of rows)
      addLevel(levels, owner_id, depth, { members, amount: BigInt(amount) });
    last = rows.at(-1) ?? last;
    if (rows.length < CHUNK) return levels;
  }
}

/** Only indexed ancestors are visited: a chain of a million has few. */
function recomputeLevels(
  members: readonly LevelMember[],
  { parents, depths }: Recomputed,
  purchases: ReadonlyMap<number, bigint>,
): Levels {
  const levels = new Map<number, Map<number, Level>>();
  const indexedAbove = new Int32Array(members.length);
  members.forEach(({ userId }, place) => {
    const parent = parents[place] ?? -1;
    indexedAbove[place] =
      parent < 0 || members[parent]?.isIndexed ? parent : (indexedAbove[parent] ?? -1);
    const own = { members: 1, amount: purchases.get(userId) ?? 0n };
    for (let at = indexedAbove[place] ?? -1; at >= 0; at = indexedAbove[at] ?? -1)
      addLevel(levels, members[at]?.userId ?? 0, depths[place] ?? 0, own);
  });
  return levels;
}

const describe = (level: Level | undefined): string =>
  `${level?.members ?? 0} members and ${level?.amount ?? 0n}`;

/** @param members in the order of user ids @param purchases of each, net */
export function compareLevels(
  members: readonly LevelMember[],
  truth: Recomputed,
  purchases: ReadonlyMap<number, bigint>,
  stored: Levels,
): string[] {
  const right = recomputeLevels(members, truth, purchases);
  const problems: string[] = [];
  for (const ownerId of new Set([...right.keys(), ...stored.keys()])) {
    const depths = new Set([
      ...(right.get(ownerId)?.keys() ?? []),
      ...(stored.get(ownerId)?.keys() ?? []),
    ]);
    for (const depth of depths) {
      const is = stored.get(ownerId)?.get(depth);
      const should = right.get(ownerId)?.get(depth);
      if (is?.members !== should?.members || is?.amount !== should?.amount)
        problems.push(
          `levels of ${ownerId}: at depth ${depth} ${describe(is)}, not ${describe(should)}`,
        );
    }
  }
  return problems;
}
