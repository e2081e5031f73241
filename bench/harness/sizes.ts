/** How large a run is: `--quick` (or `BENCH_ROUNDS=1`) gives a first look whose figures count for nothing. */

/** True when the command line asks for a first look. */
export const isQuick = process.argv.includes('--quick');

/** The usual size, or the one of a first look. */
export function sized<T>(usual: T, quick: T): T {
  return isQuick ? quick : usual;
}

/** Rounds of each side: what `BENCH_ROUNDS` says, one in a first look, or the usual number. */
export function roundsOf(usual: number): number {
  const asked = Number(process.env.BENCH_ROUNDS);
  return Number.isInteger(asked) && asked > 0 ? asked : sized(usual, 1);
}

/** Length of one round of load. */
export const ROUND_S = sized(4, 1);
