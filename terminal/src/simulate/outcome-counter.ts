/** Counts what came of everything that the simulation tried. */
import { EdgeError } from '@edge-account/sdk';

export interface Tally {
  /** Counts an outcome; `isExpected` tells whether the service should have behaved so. */
  count(what: string, outcome: Outcome, isExpected: boolean): void;
  /** Runs something that must succeed. */
  expectOk<T>(what: string, work: () => Promise<T>): Promise<T | undefined>;
  /** Runs something that must be refused. */
  expectRefusal(what: string, work: () => Promise<unknown>): Promise<void>;
  /** Runs something that counts for itself; only what it throws is counted here. */
  guard<T>(what: string, work: () => Promise<T>): Promise<T | undefined>;
  /** Outcomes that should not have been. */
  surprises(): number;
  lines(): string[];
}

/** What came of a try, by code, and why, in the service's words. */
export interface Outcome {
  readonly kind: 'accepted' | 'refused' | 'failed';
  readonly code?: string;
  readonly words?: string;
}

interface Entry {
  readonly what: string;
  readonly outcome: Outcome;
  readonly isExpected: boolean;
  readonly times: number;
}

export const accepted = (words?: string): Outcome => ({
  kind: 'accepted',
  ...(words !== undefined && { words }),
});

/** What an error says: who refused, by status and code, or that nobody answered. */
export function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof EdgeError))
    return { kind: 'failed', words: error instanceof Error ? error.message : String(error) };
  if (error.status === 0) return { kind: 'failed', code: error.code, words: error.message };
  return { kind: 'refused', code: `${error.status} ${error.code}`, words: error.message };
}

function show({ kind, code, words }: Outcome): string {
  return [kind, code === undefined ? '' : ` ${code}`, words === undefined ? '' : `: ${words}`].join(
    '',
  );
}

const HEADING = 'what was tried';

export function createTally(): Tally {
  const counts = new Map<string, Entry>();

  function count(what: string, outcome: Outcome, isExpected: boolean): void {
    const key = `${what}\n${outcome.kind} ${outcome.code ?? outcome.words} ${isExpected}`;
    const known = counts.get(key) ?? { what, outcome, isExpected, times: 0 };
    counts.set(key, { ...known, times: known.times + 1 });
  }

  const sum = (isCounted: (entry: Entry) => boolean): number =>
    [...counts.values()].filter(isCounted).reduce((total, { times }) => total + times, 0);

  function lines(): string[] {
    const entries = [...counts.values()].sort((a, b) =>
      a.what < b.what ? -1 : a.what > b.what ? 1 : b.times - a.times,
    );
    const width = Math.max(HEADING.length, ...entries.map(({ what }) => what.length));
    const rows = entries.map(
      ({ what, outcome, isExpected, times }) =>
        `${isExpected ? '  ' : '! '}${what.padEnd(width)} ${String(times).padStart(7)}  ${show(outcome)}`,
    );
    const totals = (['accepted', 'refused', 'failed'] as const).map(
      (kind) => `${kind} ${sum((entry) => entry.outcome.kind === kind)}`,
    );
    return [
      `  ${HEADING.padEnd(width)} ${'times'.padStart(7)}  what came of it, and why`,
      ...rows,
      '',
      `  ${totals.join(', ')}`,
    ];
  }

  return {
    count,
    async expectOk(what, work) {
      try {
        const result = await work();
        count(what, accepted(), true);
        return result;
      } catch (error) {
        count(what, outcomeOf(error), false);
        return undefined;
      }
    },
    async expectRefusal(what, work) {
      try {
        await work();
        count(what, accepted(), false);
      } catch (error) {
        count(
          what,
          outcomeOf(error),
          error instanceof EdgeError && error.status >= 400 && error.status < 500,
        );
      }
    },
    async guard(what, work) {
      try {
        return await work();
      } catch (error) {
        count(what, outcomeOf(error), false);
        return undefined;
      }
    },
    surprises: () => sum((entry) => !entry.isExpected),
    lines,
  };
}
