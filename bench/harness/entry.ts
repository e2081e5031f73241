/** What a benchmark is: our side and its anchor, measured in turn in one run. */

export interface BenchSides {
  /** One round of our side; returns its figure. */
  ours(): Promise<number>;
  /** One round of the anchor; returns its figure in the same unit. */
  anchor(): Promise<number>;
  /** Further figures to print once, after the rounds, for example cold caches or bytes per row. */
  further?(): Promise<Readonly<Record<string, string>>>;
  close(): Promise<void>;
}

export interface BenchEntry {
  /** As in `npm run bench NAME`. */
  readonly name: string;
  /** One line: what is measured beside what. */
  readonly summary: string;
  /** Unit of the figures, for example `requests/s`. */
  readonly unit: string;
  /** What ours divided by the anchor's should be. */
  readonly goal: { readonly ratio: number; readonly is: 'at least' | 'at most' };
  /** Rounds of each side; default 5. */
  readonly rounds?: number;
  /** Rounds of our side before the first that counts, where code takes long to be compiled well; default 1. */
  readonly warmUps?: number;
  /** Prepares both sides; not measured. */
  open(): Promise<BenchSides>;
}

/** The middle of some figures. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** True when a ratio reaches its goal. */
export function isMet(ratio: number, goal: BenchEntry['goal']): boolean {
  return goal.is === 'at least' ? ratio >= goal.ratio : ratio <= goal.ratio;
}

/** Rounds for printing: three significant digits, and whole numbers from 100 on. */
export function round(figure: number): string {
  return Math.abs(figure) >= 100 ? Math.round(figure).toString() : Number(figure.toPrecision(3)).toString();
}
