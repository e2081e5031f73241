/** Writes the result of `edge-account verify` into the audit log. */
import type { Verification } from '../audit/index.ts';
import type { Db } from '../db/index.ts';
import { sealPlace } from '../ledger/index.ts';
import { nameCommand } from './name-command.ts';
import { perform } from './perform.ts';
import type { LedgerPart, Part } from './verify-report.ts';

/** The same parts, which are kept as they pass. */
export async function* keepParts(parts: AsyncIterable<Part>, kept: Part[]): AsyncGenerator<Part> {
  for await (const part of parts) {
    kept.push(part);
    yield part;
  }
}

/** Parts of which the next verification reads only what is new. */
const CONTINUED: ReadonlySet<string> = new Set(['ledger', 'rewards', 'audit']);

/**
 * What is new to the next verification begins where this one found nothing wrong. A forged record
 * of a verification does not hide what was read: it is passed over. Who begins at the last head
 * leaves postings before it to the next one.
 */
function isGood(parts: readonly Part[], { findings, continued_from }: LedgerPart): boolean {
  const continued = parts.filter(({ name }) => CONTINUED.has(name));
  return (
    continued_from !== 'head' &&
    continued.length === CONTINUED.size &&
    continued.every(({ name, found }) => name === 'ledger' || found.length === 0) &&
    findings.every(({ check }) => check === 'verifications')
  );
}

export function describeVerification(db: Db, parts: readonly Part[]): Verification {
  const seen = parts.find((part) => part.seen)?.seen;
  const audit = parts.find((part) => part.auditEnd)?.auditEnd;
  return {
    since: seen?.since ?? null,
    parts: parts.map(({ name }) => name),
    findings: parts.reduce((sum, { found }) => sum + found.length, 0),
    ...(seen && { verified_until: seen.verified_until }),
    ...(seen &&
      isGood(parts, seen) && { place: sealPlace(db, { ...seen.place, ...(audit && { audit }) }) }),
  };
}

export async function recordVerification(verification: Verification): Promise<void> {
  await nameCommand('verify', () =>
    perform('verify', { ...verification, parts: [...verification.parts] }),
  );
}
