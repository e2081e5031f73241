/** One thread that hashes: it takes a job at a time from the thread that made it, and lets everything else go first. */
import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import type { HashAnswer, HashJob } from './hash-threads.ts';

/** Enough to be served after the event loop and the database, and not so much that a busy service signs nobody in. */
const NICENESS_MORE = 10;
const LOWEST = 19;

/** On Linux niceness is the calling thread's own; elsewhere it would be the whole service's. */
function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, Math.min(getPriority(0) + NICENESS_MORE, LOWEST));
  } catch {
    // The system does not allow it: the thread works as it is.
  }
}

function work(job: HashJob): string | boolean {
  return job.kind === 'hash'
    ? hashSync(job.password, job.cost)
    : verifySync(job.stored, job.password);
}

giveWay();
parentPort?.on('message', (job: HashJob) => {
  let answer: HashAnswer;
  try {
    answer = { value: work(job) };
  } catch (error) {
    answer = { error: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(answer);
});
