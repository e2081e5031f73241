/** Counts what came of everything that the simulation tried. */
import { EdgeError } from '@edge-account/sdk';

export interface Tally {
  /** Counts an outcome; `isExpected` tells whether the service should have behaved so. */
  count(what: string, outcome: string, isExpected: boolean, times?: number): void;
  /** Runs something that must succeed. */
  expectOk<T>(what: string, work: () => Promise<T>): Promise<T | undefined>;
  /** Runs something that must be refused. */
  expectRefusal(what: string, work: () => Promise<unknown>): Promise<void>;
  /** Outcomes that should not have been. */
  surprises(): number;
  lines(): string[];
}

export function createTally(): Tally {
  const counts = new Map<string, { what: string; outcome: string; isExpected: boolean; times: number }>();

  function count(what: string, outcome: string, isExpected: boolean, times = 1): void {
    const key = `${what} ${outcome}`;
    const known = counts.get(key) ?? { what, outcome, isExpected, times: 0 };
    counts.set(key, { ...known, times: known.times + times });
  }

  function codeOf(error: unknown): string {
    return error instanceof EdgeError ? `refused: ${error.code}` : `failed: ${error instanceof Error ? error.message : String(error)}`;
  }

  return {
    count,
    async expectOk(what, work) {
      try {
        const result = await work();
        count(what, 'accepted', true);
        return result;
      } catch (error) {
        count(what, codeOf(error), false);
        return undefined;
      }
    },
    async expectRefusal(what, work) {
      try {
        await work();
        count(what, 'accepted', false);
      } catch (error) {
        count(what, codeOf(error), error instanceof EdgeError && error.status >= 400 && error.status < 500);
      }
    },
    surprises: () => [...counts.values()].reduce((sum, entry) => sum + (entry.isExpected ? 0 : entry.times), 0),
    lines: () =>
      [...counts.values()]
        .sort((a, b) => (a.what < b.what ? -1 : a.what > b.what ? 1 : b.times - a.times))
        .map(({ what, outcome, isExpected, times }) => `${isExpected ? '  ' : '! '}${what.padEnd(38)} ${String(times).padStart(7)}  ${outcome}`),
  };
}
