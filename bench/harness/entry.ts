/** What a benchmark is: our side and its anchor, measured in turn in one run. */
import { type Measured, PARTS, type ProcessorTime } from './processor-time.ts';

/** One round of a side: its figure, alone or with the processor time of each operation. */
export type Round = () => Promise<number | Measured>;

export interface BenchPair {
  /** One round of our side. */
  readonly ours: Round;
  /** One round of the anchor, in the same unit. */
  readonly anchor: Round;
}

export interface BenchSides extends BenchPair {
  /** Further figures to print once, after the rounds, for example cold caches or bytes per row. */
  further?(): Promise<Readonly<Record<string, string>>>;
  close(): Promise<void>;
}

export interface BenchCases {
  /**
   * Each is measured like an entry of its own; the one that is farthest from its goal is the ratio
   * of the whole.
   */
  readonly cases: readonly (BenchPair & { readonly name: string })[];
  /** Further figures to print once, after the rounds. */
  further?(): Promise<Readonly<Record<string, string>>>;
  close(): Promise<void>;
}

interface BenchHead {
  /** As in `npm run bench NAME`. */
  readonly name: string;
  /** One line: what is measured beside what. */
  readonly summary: string;
  /** Unit of the figures, for example `requests/s`. */
  readonly unit: string;
  /** What the processor time is given for each of, for example `request`; default `operation`. */
  readonly operation?: string;
  /** What ours divided by the anchor's should be. */
  readonly goal: { readonly ratio: number; readonly is: 'at least' | 'at most' };
  /** Rounds of each side; default 5. */
  readonly rounds?: number;
  /**
   * Rounds of our side before the first that counts, where code takes long to be compiled well;
   * default 1. With 0 neither side has any.
   */
  readonly warmUps?: number;
  /** Why it cannot run here, if so; for example, the anchor has to be brought along. */
  readonly missing?: () => string | undefined;
}

/** One comparison. */
export interface BenchComparison extends BenchHead {
  /** Prepares both sides; not measured. */
  open(): Promise<BenchSides>;
}

/** Many comparisons of the same kind, printed as a table. */
export interface BenchTable extends BenchHead {
  /** Prepares all cases; not measured. */
  openCases(): Promise<BenchCases>;
}

export type BenchEntry = BenchComparison | BenchTable;

/** The middle of some figures. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** True when a ratio reaches its goal. */
export function isMet(ratio: number, goal: BenchEntry['goal']): boolean {
  return goal.is === 'at least' ? ratio >= goal.ratio : ratio <= goal.ratio;
}

/** Rounds for printing: three significant digits, and whole numbers from 100 on. */
export function round(figure: number): string {
  return Math.abs(figure) >= 100
    ? Math.round(figure).toString()
    : Number(figure.toPrecision(3)).toString();
}

/** The figure of a round, and the processor time where it is known. */
export function toMeasured(result: number | Measured): Measured {
  return typeof result === 'number' ? { figure: result, processor: {} } : result;
}

/** The median of each part over some rounds. */
export function medianTime(times: readonly ProcessorTime[]): ProcessorTime {
  return Object.fromEntries(
    PARTS.flatMap((name) => {
      const known = times.flatMap((time) => time[`${name}_us`] ?? []);
      return known.length === 0 ? [] : [[`${name}_us`, median(known)]];
    }),
  );
}

/**
 * `service 210 + database 130 (client 14) µs`; the client is no part of the side that is measured.
 * Empty when nothing is known.
 */
export function showTime(time: ProcessorTime): string {
  const parts = (['service', 'database'] as const).flatMap((name) => {
    const part = time[`${name}_us`];
    return part === undefined ? [] : [`${name} ${round(part)}`];
  });
  const client = time.client_us === undefined ? [] : [`(client ${round(time.client_us)})`];
  const shown = [parts.join(' + '), ...client].filter((text) => text !== '').join(' ');
  return shown === '' ? '' : `${shown} µs`;
}

/**
 * Our processor time divided by the anchor's, the clients left out; empty when either is not known.
 */
export function showTimeRatio(ours: ProcessorTime, anchor: ProcessorTime): string {
  const [our, other] = [ours, anchor].map(
    ({ service_us = 0, database_us = 0 }) => service_us + database_us,
  );
  return our && other ? round(our / other) : '';
}
