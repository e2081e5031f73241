/**
 * All figures of the tree at once, in columns: a million members take 50 MB. Pure: no database.
 */

/** What is known of a member; members come in the order of user ids, referrers first. */
export interface SourceMember {
  readonly userId: number;
  readonly referrerId: number | null;
  /** From 1, without gaps. */
  readonly joinNo: number;
  /** Own purchases, net, in minor units. */
  readonly amount: bigint;
}

/** Columns in the order of user ids; a place is an index into them. */
export interface TreeColumns {
  readonly count: number;
  readonly userIds: Float64Array;
  /** Place of the referrer; -1: none. */
  readonly parents: Int32Array;
  readonly depths: Int32Array;
  readonly directNos: Int32Array;
  readonly directCounts: Int32Array;
  readonly downlineCounts: Int32Array;
  /** Purchases of the downline, where there are any. */
  readonly amounts: ReadonlyMap<number, bigint>;
  /** Places in the order of joining. */
  readonly joinOrder: Int32Array;
}

function findPlace(userIds: Float64Array, count: number, userId: number): number {
  let [low, high] = [0, count - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const id = userIds[middle] ?? 0;
    if (id === userId) return middle;
    if (id < userId) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

function add(column: Int32Array, place: number, value: number): number {
  const sum = (column[place] ?? 0) + value;
  column[place] = sum;
  return sum;
}

/** Collects members, then computes. */
export interface TreeComputation {
  addMember(member: SourceMember): void;
  finish(): TreeColumns;
}

/** @param count number of members that will be added */
export function computeTree(count: number): TreeComputation {
  const column = (): Int32Array => new Int32Array(count);
  const userIds = new Float64Array(count);
  const [parents, depths, joinOrder] = [column(), column(), column()];
  const own = new Map<number, bigint>();
  let added = 0;

  function addMember({ userId, referrerId, joinNo, amount }: SourceMember): void {
    const place = added++;
    userIds[place] = userId;
    const parent = referrerId === null ? -1 : findPlace(userIds, place, referrerId);
    parents[place] = parent;
    depths[place] = parent < 0 ? 0 : (depths[parent] ?? 0) + 1;
    joinOrder[joinNo - 1] = place;
    if (amount !== 0n) own.set(place, amount);
  }

  function finish(): TreeColumns {
    const [directNos, directCounts, downlineCounts] = [column(), column(), column()];
    const amounts = new Map<number, bigint>();
    for (const place of joinOrder) {
      const parent = parents[place] ?? -1;
      if (parent >= 0) directNos[place] = add(directCounts, parent, 1);
    }
    for (let place = count - 1; place >= 0; place--) {
      const parent = parents[place] ?? -1;
      if (parent < 0) continue;
      add(downlineCounts, parent, 1 + (downlineCounts[place] ?? 0));
      const amount = (amounts.get(place) ?? 0n) + (own.get(place) ?? 0n);
      if (amount !== 0n) amounts.set(parent, (amounts.get(parent) ?? 0n) + amount);
    }
    const columns = { userIds, parents, depths, directNos, directCounts, downlineCounts };
    return { count, ...columns, amounts, joinOrder };
  }

  return { addMember, finish };
}
