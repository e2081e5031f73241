/**
 * How large a run is: `--quick`, also as `--small` (or `BENCH_ROUNDS=1`), gives a first look whose
 * figures count for nothing.
 */

/** True when the command line asks for a first look. */
export const isQuick = process.argv.includes('--quick') || process.argv.includes('--small');

/** The usual size, or the one of a first look. */
export function sized<T>(usual: T, quick: T): T {
  return isQuick ? quick : usual;
}

/** Rounds of each side: what `BENCH_ROUNDS` says, one in a first look, or the usual number. */
export function roundsOf(usual: number): number {
  const asked = Number(process.env.BENCH_ROUNDS);
  return Number.isInteger(asked) && asked > 0 ? asked : sized(usual, 1);
}

/** The cases of a table that were asked for: those whose name holds `BENCH_CASES`. */
export function chosenCases<T extends { readonly name: string }>(
  cases: readonly T[],
  text = process.env.BENCH_CASES ?? '',
): readonly T[] {
  const chosen = cases.filter(({ name }) => name.includes(text));
  if (chosen.length === 0) throw new Error(`no case has ${text} in its name`);
  return chosen;
}

/** Length of one round of load. */
export const ROUND_S = sized(4, 1);
