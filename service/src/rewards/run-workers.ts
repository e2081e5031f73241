/** Work that several workers and instances share. */
import type { Database } from '../db/index.ts';

const WORKERS_MAX = 4;

/** Each worker holds a connection for seconds: half of them stay for requests. */
function countWorkers({ kind, pool }: Database): number {
  return kind === 'server' ? Math.max(1, Math.min(WORKERS_MAX, pool.options.max >> 1)) : 1;
}

/**
 * Runs pieces of work at once until none is left.
 * @param work does one piece; false when none is left
 * @throws the first error, after all workers have ended
 */
export async function runWorkers(database: Database, work: () => Promise<boolean>): Promise<void> {
  const loop = async (): Promise<void> => {
    while (await work());
  };
  const workers = Array.from({ length: countWorkers(database) }, loop);
  for (const outcome of await Promise.allSettled(workers)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}
