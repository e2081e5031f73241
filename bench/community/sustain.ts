/**
 * Sustained load on a database: as many at once as a service has connections, until the time is up.
 */
const PARALLEL = 8;

/**
 * Runs `work` again and again, then `drain`, which is counted too: what is put off is not done.
 * @returns microseconds per piece of work
 */
export async function sustain(
  seconds: number,
  work: (n: number) => Promise<unknown>,
  drain: () => Promise<unknown> = async () => {},
): Promise<number> {
  const started = performance.now();
  const until = started + seconds * 1000;
  let count = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < until) await work(count++);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  await drain();
  return ((performance.now() - started) * 1000) / count;
}

/** The middle of `times` runs, in milliseconds, after one that is not counted. */
export async function medianTime(run: () => Promise<unknown>, times = 25): Promise<number> {
  await run();
  const figures: number[] = [];
  for (let i = 0; i < times; i++) {
    const started = performance.now();
    await run();
    figures.push(performance.now() - started);
  }
  return figures.sort((a, b) => a - b)[times >> 1] ?? 0;
}

/** Seconds of a sustained load; the first call of a side is the warm-up and short. */
export function createSeconds(): () => number {
  const whole = Number(process.env.BENCH_SECONDS ?? 60);
  let calls = 0;
  // Two sides warm up, one call each.
  return () => (calls++ < 2 ? Math.min(3, whole) : whole);
}
