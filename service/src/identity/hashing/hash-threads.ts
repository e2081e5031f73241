/**
 * Threads for argon2, apart from libuv's: those sign tokens, read files and look names up, which must not wait for
 * hashes. There are as many as cores, because more would only take turns; they start when they are first needed.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { failure } from '../../lib/failures.ts';

/** What a hash costs to make: `memoryCost` in KiB, `timeCost` in passes. */
export interface Argon2Cost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

export interface Argon2 {
  hash(password: string, cost: Argon2Cost): Promise<string>;
  verify(stored: string, password: string): Promise<boolean>;
}

export type HashJob =
  | { readonly kind: 'hash'; readonly password: string; readonly cost: Argon2Cost }
  | { readonly kind: 'verify'; readonly password: string; readonly stored: string };

export type HashAnswer = { readonly value: string | boolean } | { readonly error: string };

interface Waiting {
  readonly job: HashJob;
  readonly resolve: (value: string | boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** More waiting than this is more than anybody would wait for. */
const QUEUE_MAX = 256;

/** Makes one thread; `onFree` is told when it can take the next job, `onEnd` when it never will again. */
function startThread(
  onFree: (thread: HashThread) => void,
  onEnd: (thread: HashThread) => void,
): HashThread {
  const worker = new Worker(new URL('./hash-thread.ts', import.meta.url));
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

/** Makes a pool of at most `width` threads. */
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

  /** @throws `unavailable` when too many wait already */
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
  };
}
