/** A worker thread that computes one hash at a time, at low priority. */
import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import type { HashAnswer, HashJob } from './hash-worker-pool.ts';
import { verifyImportedHash } from './imported-hash.ts';

/** The event loop and the database go first, but logins still finish on a busy machine. */
const NICENESS_MORE = 10;
const LOWEST = 19;

/** On Linux only, where niceness belongs to the thread and not to the process. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, Math.min(getPriority(0) + NICENESS_MORE, LOWEST));
  } catch {
    // Not permitted: the thread keeps its priority.
  }
}

async function work(job: HashJob): Promise<string | boolean> {
  if (job.kind === 'hash') return hashSync(job.password, job.cost);
  return job.kind === 'verify'
    ? verifySync(job.stored, job.password)
    : verifyImportedHash(job.stored, job.password);
}

lowerPriority();
parentPort?.on('message', async (job: HashJob) => {
  let answer: HashAnswer;
  try {
    answer = { value: await work(job) };
  } catch (error) {
    answer = { error: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(answer);
});
