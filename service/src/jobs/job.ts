/** What the runner knows of a background job. */
export interface Job {
  readonly name: string;
  readonly every_ms: number;
  /**
   * One run; must be safe to kill at any line and to run again. A long one ends early when
   * `signal` says that the instance ends.
   */
  run(signal: AbortSignal): Promise<unknown>;
  /**
   * Asked before the lock is taken, where a job runs often and mostly without result: the lock is
   * two more statements each time. Default: a run is always worth it.
   */
  hasWork?(): Promise<boolean>;
  /**
   * False for jobs whose own statements already keep instances apart (SKIP LOCKED), or that every
   * instance must run. Default true.
   */
  readonly isExclusive?: boolean;
  /**
   * True for jobs that may take longer than minutes: they have slots of their own, so that those
   * that are due every few seconds never wait for them.
   */
  readonly isLong?: boolean;
  /**
   * True for jobs that delete what is older than some time, which nothing brings back: they do not
   * run while the clock of the process is ahead.
   */
  readonly deletesByTime?: boolean;
  /** Notification channels that make the job run at once. */
  readonly wakeOn?: readonly string[];
}
