/**
 * What this process remembers of lanes and wallets from what it wrote to them last, so that a batch need not ask for what
 * it knows. Nothing is decided by it alone: the statement that writes a batch looks at the version of every account and the
 * seal of the lane, and writes nothing when somebody else has written meanwhile. What a batch takes is forgotten until that
 * batch is committed; so is what another transaction of this process locks.
 */
import { randomInt } from 'node:crypto';
import { type Database, databaseOf, type Transaction } from '../db/index.ts';
import { accountKey, type Books, type Lane, newBooks, type WalletState } from './books.ts';
import { LANES, walletOfHouse } from './wallet-ids.ts';

/** About half a kilobyte each. */
const WALLETS_MAX = 32_768;
/** How many batches lock and read after one that found its knowledge outdated: first, and at most. */
const REST = { first: 16, most: 4096 } as const;

interface Known {
  /** As they were written last; undefined while a batch has them. The one known longest first. */
  readonly wallets: Map<number, WalletState | undefined>;
  readonly lanes: Map<number, Lane>;
  /** Batches that shall not try. */
  rest: number;
  /** How long the next rest will be. */
  nextRest: number;
  /** Lanes that batches under way are about to lock. */
  readonly busyLanes: Set<number>;
  /** The lane that this process likes best. */
  firstLane: number;
}

const knownOf = new WeakMap<Database, Known>();

function find(tx: Transaction): Known {
  const database = databaseOf(tx);
  const known = knownOf.get(database) ?? { wallets: new Map(), lanes: new Map(), rest: 0, nextRest: REST.first, busyLanes: new Set(), firstLane: 0 };
  knownOf.set(database, known);
  return known;
}

/** The lane with which a search for a free one begins: in the database those are free, too, that a batch is about to lock. */
export function firstLaneOf(tx: Transaction): number {
  const { busyLanes, firstLane } = find(tx);
  const lanes = Array.from({ length: LANES }, (_, i) => (firstLane + i) % LANES);
  return lanes.find((lane) => !busyLanes.has(lane)) ?? firstLane;
}

/**
 * A batch on what is known was in vain: for a while those after it ask first.
 * @param isContended another process wrote to the same: then also in lanes that are hardly its own
 */
export function restFromKnown(tx: Transaction, isContended: boolean): void {
  const known = find(tx);
  known.busyLanes.clear();
  known.rest = known.nextRest;
  if (!isContended) return;
  known.nextRest = Math.min(REST.most, known.nextRest * 2);
  known.firstLane = randomInt(LANES);
}

/** Another transaction may change these. */
export function forget(tx: Transaction, lane: number, walletIds: Iterable<number>): void {
  const { wallets, lanes } = find(tx);
  lanes.delete(lane);
  for (const walletId of walletIds) wallets.delete(walletId);
}

/** Everything: the database may be another than it was. */
export function forgetAll(database: Database): void {
  knownOf.delete(database);
}

/** A lane, of which the wallets of the house are known, too. */
function findLane({ wallets, lanes }: Known, houseKinds: readonly number[]): Lane | undefined {
  for (const lane of lanes.values()) {
    if (houseKinds.every((kindId) => wallets.get(walletOfHouse(kindId, lane.lane)))) return lane;
  }
  return undefined;
}

function takeWallet({ wallets }: Known, books: Books, walletId: number): void {
  const wallet = wallets.get(walletId);
  if (!wallet) return;
  // It keeps its place: thousands of them leaving and coming back would cost more than the rest of the batch.
  wallets.set(walletId, undefined);
  books.wallets.set(walletId, wallet);
  for (const account of wallet.accounts) books.accounts.set(accountKey(walletId, account.currencyId), account);
}

function takeLane(tx: Transaction, known: Known, { lane }: Lane): void {
  known.lanes.delete(lane);
  known.busyLanes.add(lane);
  tx.afterCommit(() => known.busyLanes.delete(lane));
}

/** A batch is about to be written on what is known. Once it is, the next rest is short again. */
export function relyOnKnown(tx: Transaction): void {
  const known = find(tx);
  tx.afterCommit(() => {
    known.nextRest = REST.first;
  });
}

interface Asked {
  /** Of the names that they are asked for with. */
  readonly referenceMark: string;
  readonly now: Date;
  /** Ids of people's wallets. */
  readonly userWallets: Iterable<number>;
  /** Kinds of the house's wallets. */
  readonly houseKinds: Iterable<number>;
}

/** Books on what is known; undefined when anything is missing. */
export function takeKnown(tx: Transaction, { referenceMark, now, userWallets, houseKinds }: Asked): Books | undefined {
  const known = find(tx);
  if (known.rest > 0) {
    known.rest -= 1;
    return undefined;
  }
  const kinds = [...houseKinds];
  const lane = findLane(known, kinds);
  if (!lane) return undefined;
  // In the order in which everybody locks.
  const walletIds = [...userWallets].sort((a, b) => a - b);
  walletIds.push(...kinds.map((kindId) => walletOfHouse(kindId, lane.lane)));
  let createdAt_ms = now.getTime();
  for (const walletId of walletIds) {
    const wallet = known.wallets.get(walletId);
    if (!wallet) return undefined;
    createdAt_ms = Math.max(createdAt_ms, wallet.postedAt_ms);
  }
  const books = newBooks({ lane, referenceMark, isLocked: false }, new Date(createdAt_ms));
  for (const walletId of walletIds) takeWallet(known, books, walletId);
  takeLane(tx, known, lane);
  return books;
}

/** Once a batch is committed: the lane and the wallets as it left them. */
export function remember(tx: Transaction, books: Books, lane: Lane, version: number): void {
  const { lanes, wallets } = find(tx);
  tx.afterCommit(() => {
    lanes.set(lane.lane, lane);
    for (const account of books.accounts.values()) {
      if (account.isTouched) account.version = version;
      account.isTouched = false;
    }
    for (const [walletId, wallet] of books.wallets) {
      wallet.postedAt_ms = books.createdAt.getTime();
      wallets.set(walletId, wallet);
    }
    for (const walletId of wallets.keys()) {
      if (wallets.size <= WALLETS_MAX) break;
      wallets.delete(walletId);
    }
  });
}
