/**
 * Results of searches are kept, so that the next page of a broad keyword, and its exact total, cost
 * as little as a page without a keyword. Members never move: a kept result is extended by the
 * members who joined since. Any rename invalidates it.
 */
import type { Db } from '../db/index.ts';
import {
  countUpTo,
  type MemberType,
  openDownline,
  type Traverse,
  traverse,
  type Viewer,
} from './downline-sequence.ts';
import { searchMembers } from './search-members.ts';

interface Result {
  /** Oldest first. */
  readonly joinNos: Int32Array;
  readonly lastNo: number;
  readonly revision: number;
}

export interface MatchCache {
  /** Join numbers that the keyword matches, oldest first; some may be later than the viewer. */
  find(db: Db, viewer: Viewer, type: MemberType, keyword: string): Promise<Int32Array>;
  /** Walks the tree once for all pages, until the next join. */
  readonly traverse: Traverse;
}

/** 64 MiB of join numbers. */
const NUMBERS_MAX = 16_000_000;
/** Weight of an entry beside its numbers. */
const ENTRY_WEIGHT = 100;

export function createMatchCache(numbersMax: number = NUMBERS_MAX): MatchCache {
  // Least recently used first.
  const results = new Map<string, Result>();
  let numbers = 0;

  function forget(key: string): void {
    const known = results.get(key);
    if (!known) return;
    numbers -= known.joinNos.length + ENTRY_WEIGHT;
    results.delete(key);
  }

  function keep(key: string, result: Result): Int32Array {
    forget(key);
    results.set(key, result);
    numbers += result.joinNos.length + ENTRY_WEIGHT;
    for (const oldest of results.keys()) {
      if (numbers <= numbersMax) break;
      forget(oldest);
    }
    return result.joinNos;
  }

  const cachedTraverse: Traverse = async (db, viewer, { afterNo, untilNo }) => {
    const { epoch, userId, listOwner, lastNo, revision } = viewer;
    const key = `${epoch} ${userId} WALK ${listOwner}`;
    const known = results.get(key);
    const all = { afterNo: 0, untilNo: lastNo };
    const joinNos = keep(
      key,
      known && known.lastNo >= lastNo
        ? known
        : { joinNos: await traverse(db, viewer, all), lastNo, revision },
    );
    return joinNos.subarray(countUpTo(joinNos, afterNo), countUpTo(joinNos, untilNo));
  };

  return {
    traverse: cachedTraverse,
    async find(db, viewer, type, keyword) {
      const { epoch, userId, lastNo, revision } = viewer;
      const key = `${epoch} ${userId} ${type} ${keyword}`;
      const known = results.get(key);
      if (known && known.lastNo >= lastNo && known.revision >= revision) return keep(key, known);
      const before = known?.revision === revision ? known : undefined;
      const range = { afterNo: before?.lastNo ?? 0, untilNo: lastNo };
      const sequence = await openDownline(db, viewer, { type, range }, cachedTraverse);
      const found = await searchMembers(db, viewer, sequence, { keyword, range });
      const joinNos = Int32Array.from([...(before?.joinNos ?? []), ...found]);
      return keep(key, { joinNos, lastNo, revision });
    },
  };
}
