/**
 * Worker threads for argon2. The threads of libuv sign tokens, read files and resolve names, which
 * must not wait for hashes. At most one per core; they start when they are first needed.
 */
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { failure } from '../../lib/failures.ts';

/** Cost of a hash: `memoryCost` in KiB, `timeCost` in passes. */
export interface Argon2Cost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

export interface Argon2 {
  hash(password: string, cost: Argon2Cost): Promise<string>;
  verify(stored: string, password: string): Promise<boolean>;
  /** The same for a hash that another system made; see `imported-hash.ts`. */
  verifyImported(stored: string, md5: string): Promise<boolean>;
}

export type HashJob =
  | { readonly kind: 'hash'; readonly password: string; readonly cost: Argon2Cost }
  | {
      readonly kind: 'verify' | 'verify-imported';
      readonly password: string;
      readonly stored: string;
    };

export type HashAnswer = { readonly value: string | boolean } | { readonly error: string };

interface Waiting {
  readonly job: HashJob;
  readonly resolve: (value: string | boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** Longer queues take longer than callers wait. */
const QUEUE_MAX = 256;

/** Starts a thread; `onFree`: it can take the next job, `onEnd`: it has ended. */
function startThread(
  onFree: (thread: HashThread) => void,
  onEnd: (thread: HashThread) => void,
): HashThread {
  // `.ts` in the repository, `.js` in the package.
  const file = `./hash-worker${extname(import.meta.url)}`;
  const worker = new Worker(new URL(file, import.meta.url));
  let current: Waiting | undefined;
  const thread: HashThread = {
    take(waiting) {
      current = waiting;
      worker.ref();
      worker.postMessage(waiting.job);
    },
  };
  worker.unref();
  worker.on('message', (answer: HashAnswer) => {
    const done = current;
    current = undefined;
    worker.unref();
    if ('error' in answer) done?.reject(new Error(answer.error));
    else done?.resolve(answer.value);
    onFree(thread);
  });
  worker.once('error', (error) => current?.reject(error));
  worker.once('exit', () => {
    current?.reject(new Error('the hashing thread has ended'));
    onEnd(thread);
  });
  return thread;
}

interface HashThread {
  take(waiting: Waiting): void;
}

/** Creates a pool of at most `width` threads. */
export function createHashThreads(width = availableParallelism()): Argon2 {
  const queue: Waiting[] = [];
  const idle: HashThread[] = [];
  let threads = 0;

  function free(thread: HashThread): void {
    const next = queue.shift();
    if (next) thread.take(next);
    else idle.push(thread);
  }

  function start(): HashThread {
    threads++;
    return startThread(free, (thread) => {
      threads--;
      if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
      const next = queue.shift();
      if (next) start().take(next);
    });
  }

  /** @throws `unavailable` when the queue is full */
  const run = (job: HashJob): Promise<string | boolean> =>
    new Promise((resolve, reject) => {
      const waiting = { job, resolve, reject };
      const thread = idle.pop() ?? (threads < width ? start() : undefined);
      if (thread) thread.take(waiting);
      else if (queue.length < QUEUE_MAX) queue.push(waiting);
      else
        reject(failure('unavailable', { detail: 'Too many sign-ins at once.', retryAfter_s: 2 }));
    });
  return {
    hash: async (password, cost) => String(await run({ kind: 'hash', password, cost })),
    verify: async (stored, password) => (await run({ kind: 'verify', password, stored })) === true,
    verifyImported: async (stored, password) =>
      (await run({ kind: 'verify-imported', password, stored })) === true,
  };
}
