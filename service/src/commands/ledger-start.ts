/** From where on `edge-account verify` reads the ledger. */
import type { Database } from '../db/index.ts';
import {
  type LedgerReport,
  type SignedHead,
  verifyLedger,
  verifyLedgerSinceHead,
  verifyLedgerSinceVerification,
} from '../ledger/index.ts';
import type { SettledSince } from '../rewards/index.ts';

export type Start = 'verification' | 'head' | 'genesis';

type Verify = (database: Database, heads: readonly SignedHead[]) => Promise<LedgerReport>;

const VERIFY: Readonly<Record<Start, Verify>> = {
  verification: verifyLedgerSinceVerification,
  head: async (database, heads) =>
    (await verifyLedgerSinceHead(database, heads)) ?? (await verifyLedger(database, heads)),
  genesis: verifyLedger,
};

export function verifyLedgerFrom(
  start: Start,
  database: Database,
  heads: readonly SignedHead[],
): Promise<LedgerReport> {
  return VERIFY[start](database, heads);
}

/** A settlement whose transaction was open at the last verification ends sooner. */
const LONGEST_MS = 3_600_000;

/** From when on settlements are recomputed; null: all. */
export function settledSince({ since, from = [] }: LedgerReport): SettledSince | null {
  return since === null ? null : { at: new Date(Date.parse(since) - LONGEST_MS), transfers: from };
}
