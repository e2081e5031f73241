/** Background jobs. Any number of nodes may run them: each run holds the job's advisory lock. */
import type { Database } from '../db/index.ts';
import { transaction } from '../db/index.ts';

export interface Job {
  readonly name: string;
  readonly every_ms: number;
  /** One run; must be safe to kill at any line and to run again. */
  run(): Promise<unknown>;
  /** False for jobs whose own statements already keep nodes apart (SKIP LOCKED), or that every node must run. Default true. */
  readonly isExclusive?: boolean;
  /** A notification channel that makes the job run at once. */
  readonly wakeOn?: string;
}

export interface JobRunner {
  start(): Promise<void>;
  /** Waits for runs under way, then starts none. */
  stop(): Promise<void>;
}

/** Runs `work` while holding a session-independent lock; returns false when another node holds it. */
async function underLock(database: Database, name: string, work: () => Promise<unknown>): Promise<void> {
  // The embedded database has one connection and one process: holding it during the run would deadlock.
  if (database.kind === 'embedded') {
    await work();
    return;
  }
  await transaction(database, async (tx) => {
    const { rows } = await tx.query<{ locked: boolean }>('select pg_try_advisory_xact_lock(hashtextextended($1, 1)) as locked', [`job ${name}`]);
    if (rows[0]?.locked) await work();
  });
}

/** Makes a runner; a job never overlaps itself in one process. */
export function createJobRunner(database: Database, jobs: readonly Job[], onError: (job: string, error: unknown) => void): JobRunner {
  const timers = new Set<NodeJS.Timeout>();
  const running = new Map<string, Promise<void>>();
  const again = new Set<string>();
  let isStopped = false;

  async function runOnce(job: Job): Promise<void> {
    try {
      if (job.isExclusive === false) await job.run();
      else await underLock(database, job.name, () => job.run());
    } catch (error) {
      onError(job.name, error);
    }
  }

  function trigger(job: Job): void {
    if (isStopped) return;
    if (running.has(job.name)) {
      again.add(job.name);
      return;
    }
    const run = runOnce(job).finally(() => {
      running.delete(job.name);
      if (again.delete(job.name)) trigger(job);
    });
    running.set(job.name, run);
  }

  return {
    async start() {
      for (const job of jobs) {
        if (job.wakeOn !== undefined) await database.listen(job.wakeOn, () => trigger(job));
        timers.add(setInterval(() => trigger(job), job.every_ms).unref());
      }
    },
    async stop() {
      isStopped = true;
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running.values());
    },
  };
}
