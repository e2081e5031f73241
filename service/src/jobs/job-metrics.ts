/** When each job of this instance last succeeded, how long it took, and how often it failed. */
import type { Metrics } from '../http/index.ts';

/** What the metrics record of each run. */
export interface JobObserver {
  /** @param duration_s without the time that it waited for others */
  onSuccess(job: string, duration_s: number): void;
  onFailure(job: string): void;
}

export function observeJobs(metrics: Metrics, now: () => Date): JobObserver {
  const succeeded: Record<string, number> = {};
  const durations: Record<string, number> = {};
  const failures: Record<string, number> = {};
  metrics.gauge(
    'edge_account_job_last_success_timestamp_seconds',
    'When the job last succeeded in this instance, as Unix time.',
    'job',
    async () => succeeded,
  );
  metrics.gauge(
    'edge_account_job_duration_seconds',
    'How long the last successful run took.',
    'job',
    async () => durations,
  );
  metrics.gauge(
    'edge_account_job_failures',
    'Runs that failed since the process began.',
    'job',
    async () => failures,
  );
  return {
    onSuccess(job, duration_s) {
      succeeded[job] = now().getTime() / 1000;
      durations[job] = duration_s;
      failures[job] ??= 0;
    },
    onFailure(job) {
      failures[job] = (failures[job] ?? 0) + 1;
    },
  };
}
