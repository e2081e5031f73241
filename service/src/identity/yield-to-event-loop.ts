/**
 * Lets the event loop go before the threads that hash. On a small machine as many hashes run as there are cores, and a
 * woken hashing thread would take the core from the loop that woke it: requests that need no hash would wait for it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

const TASKS = '/proc/self/task';
const WORKER = 'libuv-worker';
/** Niceness counts among the threads of this service: it takes nothing from other programs, and gives them nothing. */
const NICENESS_MORE = 5;

/** Lowers the priority of the worker threads, which exist once the first has worked. Elsewhere than on Linux nothing happens. */
export function yieldToEventLoop(): number {
  if (process.platform !== 'linux') return 0;
  const niceness = Math.min(getPriority() + NICENESS_MORE, constants.priority.PRIORITY_LOW);
  let lowered = 0;
  for (const thread of readdirSync(TASKS)) {
    try {
      if (readFileSync(`${TASKS}/${thread}/comm`, 'utf8').trim() !== WORKER) continue;
      setPriority(Number(thread), niceness);
      lowered++;
    } catch {
      // The thread has ended, or the system does not allow it: it works as it is.
    }
  }
  return lowered;
}
