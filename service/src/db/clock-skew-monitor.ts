/**
 * Measures how far the clock of this process is from that of the database. Instances compare times
 * of their own clocks, so the clocks must agree. Which clock is wrong is not known here: the
 * difference is logged, and work continues.
 */
import type { Clock } from '../lib/clock.ts';
import type { Db } from './types.ts';

/** A smaller difference has no effect. See "Clocks" in docs/operations.md. */
const APART_MS = 1000;
const EVERY_MS = 60_000;

export interface ClockWatch {
  /** Measures now, and every minute from then on. */
  start(): Promise<void>;
  stop(): void;
  /**
   * Milliseconds by which this process is ahead of the database. Fails when the database does not
   * answer.
   */
  measure(): Promise<number>;
  /** The last measurement; undefined before the first. */
  offset_ms(): number | undefined;
}

export interface ClockWatchDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** Called once a minute at most while the clocks are surely more than a second apart. */
  readonly onApart: (offset_ms: number) => void;
}

export function createClockWatch({ db, clock, onApart }: ClockWatchDeps): ClockWatch {
  let last_ms: number | undefined;
  let saidAt_ms = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function say(offset_ms: number): void {
    const now_ms = performance.now();
    if (now_ms - saidAt_ms < EVERY_MS / 2) return;
    saidAt_ms = now_ms;
    onApart(offset_ms);
  }

  async function measure(): Promise<number> {
    const before_ms = clock.now().getTime();
    const { rows } = await db.query<{ now_ms: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms',
    );
    const after_ms = clock.now().getTime();
    // The database looked at its clock at some moment between.
    const error_ms = (after_ms - before_ms) / 2;
    const offset_ms = Math.round(before_ms + error_ms - (rows[0]?.now_ms ?? Number.NaN));
    last_ms = offset_ms;
    if (Math.abs(offset_ms) - error_ms > APART_MS) say(offset_ms);
    return offset_ms;
  }

  /** An unreachable database is reported by its other users. */
  const measureQuietly = (): Promise<unknown> => measure().catch(() => undefined);

  return {
    async start() {
      await measureQuietly();
      timer = setInterval(measureQuietly, EVERY_MS).unref();
    },
    stop: () => clearInterval(timer),
    measure,
    offset_ms: () => last_ms,
  };
}
