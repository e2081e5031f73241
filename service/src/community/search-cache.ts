/**
 * Results of searches, kept and brought up to date instead of made again: members never move, so a result only gains
 * those who joined and changes by those who were renamed since. This is what makes the next page of a broad keyword,
 * and its exact total, as cheap as a page without one.
 */
import type { Db } from '../db/index.ts';
import { countUpTo, type MemberType, type Viewer, type Walk, walk } from './downline-sequence.ts';
import { type Change, findChanges, matchKeyword } from './search-members.ts';

interface Result {
  /** Join numbers, oldest first. */
  readonly nos: Int32Array;
  readonly lastNo: number;
  readonly revision: number;
}

export interface MatchCache {
  /** Join numbers of those whom the keyword finds, oldest first, exact as of the viewer. */
  find(db: Db, viewer: Viewer, type: MemberType, keyword: string): Promise<Int32Array>;
  /** Walks the tree once for all pages, until somebody joins. */
  readonly walk: Walk;
}

/** 64 MiB of join numbers. */
const NUMBERS_MAX = 16_000_000;
/** What an entry weighs beside its numbers. */
const ENTRY_WEIGHT = 100;

/** Takes out whoever was looked at again, and puts back whoever belongs to the result. */
function applyChanges(nos: Int32Array, changes: readonly Change[]): Int32Array {
  if (changes.length === 0) return nos;
  const changed = new Set(changes.map(({ joinNo }) => joinNo));
  const kept = changes.some(({ joinNo }) => joinNo <= (nos.at(-1) ?? 0))
    ? nos.filter((no) => !changed.has(no))
    : nos;
  const added = changes.filter(({ isIn }) => isIn).map(({ joinNo }) => joinNo);
  const all = new Int32Array(kept.length + added.length);
  all.set(kept);
  all.set(added, kept.length);
  return all.sort();
}

export function createMatchCache(numbersMax: number = NUMBERS_MAX): MatchCache {
  // Least recently used first.
  const results = new Map<string, Result>();
  let numbers = 0;

  function forget(key: string): void {
    const known = results.get(key);
    if (!known) return;
    numbers -= known.nos.length + ENTRY_WEIGHT;
    results.delete(key);
  }

  function keep(key: string, result: Result): void {
    forget(key);
    results.set(key, result);
    numbers += result.nos.length + ENTRY_WEIGHT;
    for (const oldest of results.keys()) {
      if (numbers <= numbersMax) break;
      forget(oldest);
    }
  }

  return {
    async find(db, viewer, type, keyword) {
      const key = `${viewer.epoch} ${viewer.userId} ${type} ${keyword}`;
      const known = results.get(key);
      // Another request may have seen more already: the caller leaves out who joined after its viewer was read.
      const isFresh =
        known !== undefined && known.lastNo >= viewer.lastNo && known.revision >= viewer.revision;
      if (isFresh) {
        keep(key, known);
        return known.nos;
      }
      const changes =
        known &&
        (await findChanges(db, viewer, {
          type,
          keyword,
          lastNo: known.lastNo,
          revision: known.revision,
        }));
      const nos = changes
        ? applyChanges(known.nos, changes)
        : Int32Array.from(await matchKeyword(db, viewer, type, keyword));
      keep(key, { nos, lastNo: viewer.lastNo, revision: viewer.revision });
      return nos;
    },
    async walk(db, viewer, { afterNo, untilNo }) {
      const { epoch, userId, heavyLeadId, lastNo, revision } = viewer;
      const key = `${epoch} ${userId} WALK ${heavyLeadId}`;
      const known = results.get(key);
      const result =
        known !== undefined && known.lastNo >= lastNo
          ? known
          : { nos: await walk(db, viewer, { afterNo: 0, untilNo: lastNo }), lastNo, revision };
      keep(key, result);
      return result.nos.subarray(countUpTo(result.nos, afterNo), countUpTo(result.nos, untilNo));
    },
  };
}
