/** Background jobs. Any number of instances run them: each run holds the job's advisory lock. */
import { type Database, runAsService } from '../db/index.ts';
import { inSpan } from '../lib/tracing.ts';
import type { Job } from './job.ts';
import type { JobObserver } from './job-metrics.ts';
import { createJobSlots } from './slots.ts';

export type { Job } from './job.ts';
export { type JobObserver, observeJobs } from './job-metrics.ts';
export { refuseClockAhead } from './refuse-clock-ahead.ts';

export interface JobRunner {
  start(): Promise<void>;
  /** Starts no run, and waits for those under way. */
  stop(): Promise<void>;
}

/** Runs `work` unless another process is at it. @returns whether it ran */
async function underLock(
  database: Database,
  name: string,
  work: () => Promise<unknown>,
): Promise<boolean> {
  const unlock = await database.tryLock(`job ${name}`);
  if (!unlock) return false;
  try {
    await work();
    return true;
  } finally {
    await unlock();
  }
}

const isIdle = async (job: Job): Promise<boolean> =>
  job.hasWork !== undefined && !(await job.hasWork());

/** Makes a runner; a job never overlaps itself in one process. */
export function createJobRunner(
  database: Database,
  jobs: readonly Job[],
  onError: (job: string, error: unknown) => void,
  observer?: JobObserver,
): JobRunner {
  const timers = new Set<NodeJS.Timeout>();
  const running = new Map<string, Promise<void>>();
  const again = new Set<string>();
  const slots = createJobSlots(database);
  const ending = new AbortController();

  async function runOnce(job: Job): Promise<void> {
    try {
      await (job.isLong ? slots.long : slots.short)(async () => {
        if (ending.signal.aborted) return;
        const start_ms = performance.now();
        let hasRun = true;
        const work = (): Promise<unknown> =>
          inSpan(`job ${job.name}`, { isRoot: true }, () =>
            runAsService(`job ${job.name}`, () => job.run(ending.signal)),
          );
        if (job.isExclusive === false) await work();
        else if (!(await isIdle(job))) hasRun = await underLock(database, job.name, work);
        if (hasRun) observer?.onSuccess(job.name, (performance.now() - start_ms) / 1000);
      });
    } catch (error) {
      observer?.onFailure(job.name);
      onError(job.name, error);
    }
  }

  function trigger(job: Job): void {
    if (ending.signal.aborted) return;
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
        for (const channel of job.wakeOn ?? []) await database.listen(channel, () => trigger(job));
        timers.add(setInterval(() => trigger(job), job.every_ms).unref());
      }
    },
    async stop() {
      ending.abort();
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running.values());
    },
  };
}
