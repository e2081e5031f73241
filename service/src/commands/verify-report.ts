/** How `edge-account verify` prints what it found. */

import type { AuditPlace } from '../audit/index.ts';
import type { LedgerReport } from '../ledger/index.ts';

export const DISAGREES_EXIT = 1;

/** What the record of a verification says of the ledger. */
export type LedgerPart = Pick<
  LedgerReport,
  'since' | 'continued_from' | 'verified_until' | 'place' | 'findings'
>;

/** What was found in one part, then what was looked at and how it stands. */
export interface Part {
  readonly name: string;
  readonly report: object;
  /** Of the ledger: how far it was seen, and whether that agreed. */
  readonly seen?: LedgerPart;
  /** Of the audit log: up to which seal it was read. */
  readonly auditEnd?: AuditPlace;
  readonly found: readonly string[];
  readonly counts: string;
  readonly words: readonly [good: string, bad: string];
}

/** A part as it is printed. */
export function toText({ found, counts, words: [good, bad] }: Part): string {
  return [...found, `${counts}: ${found.length === 0 ? good : bad}`, ''].join('\n');
}

/** What the ledger reports, and each other part under its name. */
function toJson(parts: readonly Part[]): string {
  return JSON.stringify(
    Object.assign(
      {},
      ...parts.map(({ name, report }) => (name === 'ledger' ? report : { [name]: report })),
    ),
  );
}

/** The parts as they are printed; the exit code reports findings, too. */
export async function* report(parts: AsyncIterable<Part>, isJson: boolean): AsyncGenerator<string> {
  const all: Part[] = [];
  for await (const part of parts) {
    all.push(part);
    if (part.found.length > 0) process.exitCode = DISAGREES_EXIT;
    if (!isJson) yield toText(part);
  }
  if (isJson) yield `${toJson(all)}\n`;
}
