/** Jobs that delete by time run only while the clock of their process is not ahead. */
import type { Job } from './job.ts';

/** A clock that is further ahead deletes nothing: what is deleted too early is gone. */
const AHEAD_MAX_MS = 300_000;

/**
 * The same jobs; those that delete by time fail while the clock is ahead.
 * @param measureAhead_ms milliseconds by which the clock is ahead of the database's
 */
export function refuseClockAhead(
  jobs: readonly Job[],
  measureAhead_ms: () => Promise<number>,
): Job[] {
  const guard = (job: Job): Job => ({
    ...job,
    async run(signal) {
      const ahead_ms = await measureAhead_ms();
      if (ahead_ms > AHEAD_MAX_MS)
        throw new Error(
          `nothing is deleted: the clock of this process is ${Math.round(ahead_ms / 1000)} s ` +
            'ahead of the database’s',
        );
      return job.run(signal);
    },
  });
  return jobs.map((job) => (job.deletesByTime ? guard(job) : job));
}
