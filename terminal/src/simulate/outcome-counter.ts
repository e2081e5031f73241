/** Counts the outcomes of a simulation. */
import { EdgeError } from '@edge-account/sdk';

export interface OutcomeCounter {
  /** Counts an outcome; an unexpected one is a defect. */
  count(what: string, outcome: Outcome, isExpected: boolean): void;
  /** Runs work that must succeed. */
  expectOk<T>(what: string, work: () => Promise<T>): Promise<T | undefined>;
  /** Runs work that must be refused. */
  expectRefusal(what: string, work: () => Promise<unknown>): Promise<void>;
  /** Runs work that counts its outcomes; only its errors are counted here. */
  guard<T>(what: string, work: () => Promise<T>): Promise<T | undefined>;
  /** Number of unexpected outcomes. */
  surprises(): number;
  lines(): string[];
}

/** An outcome by its code, with the text of the service. */
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

/** The outcome of an error: refused with status and code, or failed without an answer. */
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

const HEADING = 'action';

/** By action, the most frequent outcome first; unexpected ones are marked. */
function toTable(entries: readonly Entry[]): string[] {
  const sorted = entries.toSorted((a, b) =>
    a.what < b.what ? -1 : a.what > b.what ? 1 : b.times - a.times,
  );
  const width = Math.max(HEADING.length, ...sorted.map(({ what }) => what.length));
  const rows = sorted.map(({ what, outcome, isExpected, times }) => {
    const mark = isExpected ? '  ' : '! ';
    return `${mark}${what.padEnd(width)} ${String(times).padStart(7)}  ${show(outcome)}`;
  });
  return [`  ${HEADING.padEnd(width)} ${'times'.padStart(7)}  outcome`, ...rows];
}

export function createOutcomeCounter(): OutcomeCounter {
  const counts = new Map<string, Entry>();

  function count(what: string, outcome: Outcome, isExpected: boolean): void {
    const key = `${what}\n${outcome.kind} ${outcome.code ?? outcome.words} ${isExpected}`;
    const known = counts.get(key) ?? { what, outcome, isExpected, times: 0 };
    counts.set(key, { ...known, times: known.times + 1 });
  }

  const sum = (isCounted: (entry: Entry) => boolean): number =>
    [...counts.values()].filter(isCounted).reduce((total, { times }) => total + times, 0);

  function lines(): string[] {
    const totals = (['accepted', 'refused', 'failed'] as const).map(
      (kind) => `${kind} ${sum((entry) => entry.outcome.kind === kind)}`,
    );
    return [...toTable([...counts.values()]), '', `  ${totals.join(', ')}`];
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
