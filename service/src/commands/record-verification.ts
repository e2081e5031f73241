/** Writes the result of `edge-account verify` into the audit log. */
import type { LedgerReport } from '../ledger/index.ts';
import { nameCommand } from './name-command.ts';
import { perform } from './perform.ts';
import type { Part } from './verify-report.ts';

/** The same parts, which are kept as they pass. */
export async function* keepParts(parts: AsyncIterable<Part>, kept: Part[]): AsyncGenerator<Part> {
  for await (const part of parts) {
    kept.push(part);
    yield part;
  }
}

export async function recordParts(parts: readonly Part[]): Promise<void> {
  const ledger = parts.find(({ name }) => name === 'ledger')?.report as LedgerReport | undefined;
  const verification = {
    since: ledger?.since ?? null,
    parts: parts.map(({ name }) => name),
    findings: parts.reduce((sum, { found }) => sum + found.length, 0),
  };
  await nameCommand('verify', () => perform('verify', verification));
}
