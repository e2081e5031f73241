/**
 * Turns concurrent callers into batches: while some batches are being committed, whoever comes waits for the next one.
 * A lone caller waits for nobody. One sync of the disk and one round of locks then serve hundreds of callers.
 */
import { type Database, transaction } from '../db/index.ts';
import { postBatch } from './post-batch.ts';
import type { Posting, PostResult } from './types.ts';

const BATCH_MAX = 500;
/** Batches under way at once: one is being written while another is being prepared. The embedded database has one connection. */
const UNDER_WAY_MAX = { server: 2, embedded: 1 } as const;

interface Call {
  readonly postings: readonly Posting[];
  resolve(results: PostResult[]): void;
  reject(error: unknown): void;
}

export interface MicroBatcher {
  post(postings: readonly Posting[]): Promise<PostResult[]>;
}

async function postAlone(database: Database, call: Call): Promise<void> {
  try {
    call.resolve(await transaction(database, (tx) => postBatch(tx, call.postings)));
  } catch (error) {
    call.reject(error);
  }
}

async function postTogether(database: Database, calls: readonly Call[]): Promise<void> {
  let results: PostResult[];
  try {
    results = await transaction(database, (tx) =>
      postBatch(
        tx,
        calls.flatMap((call) => call.postings),
      ),
    );
  } catch {
    // Whatever it was, it must not fail the neighbours: each tries alone and meets its own fate.
    for (const call of calls) await postAlone(database, call);
    return;
  }
  let next = 0;
  for (const call of calls) {
    call.resolve(results.slice(next, next + call.postings.length));
    next += call.postings.length;
  }
}

function createMicroBatcher(database: Database): MicroBatcher {
  const waiting: Call[] = [];
  let underWay = 0;

  function takeCalls(): Call[] {
    let size = 0;
    let count = 0;
    for (const call of waiting) {
      size += call.postings.length;
      if (size > BATCH_MAX && count > 0) break;
      count += 1;
    }
    return waiting.splice(0, count);
  }

  async function drain(): Promise<void> {
    underWay += 1;
    while (waiting.length > 0) {
      const calls = takeCalls();
      const [first] = calls;
      await (calls.length === 1 && first ? postAlone(database, first) : postTogether(database, calls));
    }
    underWay -= 1;
  }

  return {
    post: (postings) =>
      new Promise((resolve, reject) => {
        waiting.push({ postings, resolve, reject });
        if (underWay < UNDER_WAY_MAX[database.kind]) queueMicrotask(() => void drain());
      }),
  };
}

const batchers = new WeakMap<Database, MicroBatcher>();

export function batcherOf(database: Database): MicroBatcher {
  const known = batchers.get(database) ?? createMicroBatcher(database);
  batchers.set(database, known);
  return known;
}
