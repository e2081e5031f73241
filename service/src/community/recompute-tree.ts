/**
 * The tree's figures recomputed from its edges alone, another way than the roll-up does it. Pure:
 * no database.
 */

/**
 * One member; the list is in the order of user ids, so that every referrer stands before those it
 * referred.
 */
export interface Edge {
  readonly userId: number;
  readonly referrerId: number | null;
  readonly joinNo: number;
}

export interface Recomputed {
  /** Place of a user in the columns below. */
  readonly placeOf: ReadonlyMap<number, number>;
  readonly parents: Int32Array;
  readonly depths: Int32Array;
  readonly directCounts: Int32Array;
  readonly downlineCounts: Int32Array;
  /** Sum of the join numbers of the downline: what a list must add up to. */
  readonly listSums: Float64Array;
  /** Sum of the depths of the downline. */
  readonly depthSums: Float64Array;
  /** Purchases of the downline; places without any are absent. */
  readonly amounts: ReadonlyMap<number, bigint>;
}

function addAmounts(
  parents: Int32Array,
  placeOf: ReadonlyMap<number, number>,
  own: ReadonlyMap<number, bigint>,
): Map<number, bigint> {
  const amounts = new Map<number, bigint>();
  const ownByPlace = new Map(
    [...own].map(([userId, amount]) => [placeOf.get(userId) ?? -1, amount]),
  );
  for (let place = parents.length - 1; place >= 0; place--) {
    const parent = parents[place] ?? -1;
    const amount = (amounts.get(place) ?? 0n) + (ownByPlace.get(place) ?? 0n);
    if (parent >= 0 && amount !== 0n) amounts.set(parent, (amounts.get(parent) ?? 0n) + amount);
  }
  return amounts;
}

/**
 * @param edges in the order of user ids
 * @param own purchases of each user, net
 */
export function recomputeTree(
  edges: readonly Edge[],
  own: ReadonlyMap<number, bigint>,
): Recomputed {
  const placeOf = new Map(edges.map(({ userId }, place) => [userId, place]));
  const parents = Int32Array.from(edges, ({ referrerId }) =>
    referrerId === null ? -1 : (placeOf.get(referrerId) ?? -1),
  );
  const depths = new Int32Array(edges.length);
  const directCounts = new Int32Array(edges.length);
  const downlineCounts = new Int32Array(edges.length);
  const listSums = new Float64Array(edges.length);
  const depthSums = new Float64Array(edges.length);
  const add = (column: Int32Array | Float64Array, place: number, value: number): void => {
    column[place] = (column[place] ?? 0) + value;
  };
  edges.forEach((_, place) => {
    const parent = parents[place] ?? -1;
    if (parent >= 0) depths[place] = (depths[parent] ?? 0) + 1;
  });
  for (let place = edges.length - 1; place >= 0; place--) {
    const parent = parents[place] ?? -1;
    if (parent < 0) continue;
    add(directCounts, parent, 1);
    add(downlineCounts, parent, 1 + (downlineCounts[place] ?? 0));
    add(depthSums, parent, (depths[place] ?? 0) + (depthSums[place] ?? 0));
    add(listSums, parent, (edges[place]?.joinNo ?? 0) + (listSums[place] ?? 0));
  }
  return {
    placeOf,
    parents,
    depths,
    directCounts,
    downlineCounts,
    listSums,
    depthSums,
    amounts: addAmounts(parents, placeOf, own),
  };
}
