/** What a drill is: it causes a fault on real parts, and says how the service bore it. */

export interface Drill {
  /** As in `npm run drill NAME`. */
  readonly name: string;
  /** One line: which fault is caused, and what must hold. */
  readonly summary: string;
  /** The section of docs that says what an operator does, for example `runbooks.md#disk-full`. */
  readonly guide: string;
  /** It takes more than a minute: tests run it in soaks only. */
  readonly isLong?: true;
  /** Why it cannot run here, if so. */
  missing?(): string | undefined;
  run(report: DrillReport): Promise<void>;
}

export interface Finding {
  readonly text: string;
  readonly isMet: boolean;
  /** A figure of this machine, at this moment; the others hold anywhere. */
  readonly isTimed: boolean;
}

interface Limit {
  readonly atMost: number;
  readonly unit: string;
}

/** Rounds for printing: figures of a drill are right to a tenth at most. */
const show = (figure: number): string => String(Math.round(figure * 10) / 10);

/** Collects what a drill finds, and what it must close at its end. */
export class DrillReport {
  readonly findings: Finding[] = [];
  /** What could not be examined here, each with its reason. */
  readonly skipped: string[] = [];
  readonly #print: (line: string) => void;
  readonly #closing: (() => unknown)[] = [];

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  /** A step, or a figure without a limit. */
  note(text: string): void {
    this.#print(`  ${text}`);
  }

  /** A part that cannot be examined here, with the reason. */
  skip(text: string): void {
    this.skipped.push(text);
    this.#print(`  skip  ${text}`);
  }

  /** What must hold. */
  check(text: string, isMet: boolean): void {
    this.#add({ text, isMet, isTimed: false });
  }

  /** A number that must be exactly this one: what was lost, or doubled, for example. */
  equal(what: string, figure: number | string, expected: number | string): void {
    const text = `${what}: ${figure}${figure === expected ? '' : ` (expected: ${expected})`}`;
    this.#add({ text, isMet: figure === expected, isTimed: false });
  }

  /** A measured figure with its limit. */
  limit(what: string, figure: number, { atMost, unit }: Limit): void {
    const text = `${what}: ${show(figure)} ${unit} (at most ${show(atMost)} ${unit})`;
    this.#add({ text, isMet: figure <= atMost, isTimed: true });
  }

  /** Closes something at the end, the last first. */
  closing(close: () => unknown): void {
    this.#closing.push(close);
  }

  async close(): Promise<void> {
    for (let close = this.#closing.pop(); close; close = this.#closing.pop()) await close();
  }

  #add(finding: Finding): void {
    this.findings.push(finding);
    this.#print(`  ${finding.isMet ? 'pass' : 'FAIL'}  ${finding.text}`);
  }
}
