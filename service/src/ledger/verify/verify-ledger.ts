import type { AuditPlace } from '../../audit/index.ts';
import { type Db, transaction } from '../../db/index.ts';
import { getLedgerContext } from '../ledger-context.ts';
import { loadReference } from '../reference-data.ts';
import type { SignedHead } from '../signed-heads.ts';
import { createFindings, type Finding } from './findings.ts';
import { type PlaceOfReport, seePlace } from './see-place.ts';
import { verifyBooks } from './verify-books.ts';
import { findUnsealed, verifyChain } from './verify-chain.ts';
import { verifyHeads } from './verify-heads.ts';
import { verifyKeys } from './verify-keys.ts';
import { type KnownNames, verifyNames } from './verify-reference-data.ts';

export interface LedgerReport extends PlaceOfReport {
  /** Empty: everything agrees. The first one names the first row that was tampered with. */
  readonly findings: readonly Finding[];
  /** What it continued from; null: it began with the first posting. */
  readonly continued_from: 'verification' | 'head' | null;
  /** When that verification ran, or the head was signed (ISO 8601). */
  readonly since: string | null;
  /** Where the transfers of each shard stood then; absent: nothing was read before. */
  readonly from?: readonly { readonly shard: number; readonly transfers: number }[];
  /** Up to where the head names the audit log. */
  readonly auditSince?: AuditPlace;
  /** What was read, since then. */
  readonly transfers: number;
  readonly seals: number;
  readonly heads: number;
}

/**
 * Replays the whole ledger on one snapshot: keys, names, chain, signed heads, balances, counters,
 * holds, sum zero, roll-ups.
 * @param exported heads kept outside of the database; only they show that the end of the chain was
 *   cut off
 */
export async function verifyLedger(
  db: Db,
  exported: readonly SignedHead[] = [],
): Promise<LedgerReport> {
  return transaction(db, async (tx) => {
    // A caller's own transaction has begun already and keeps its level.
    if (!db.isTransaction)
      await tx.query('set transaction isolation level repeatable read, read only');
    // It reads the whole ledger, however large.
    await tx.query('set local statement_timeout = 0');
    const { sealKey, clock } = getLedgerContext(tx);
    const now = clock.now();
    const findings = createFindings();
    await verifyKeys(tx, findings);
    const reference = await loadReference(tx);
    const signed: KnownNames = new Map();
    const ofHeads = createFindings();
    const heads = await verifyHeads(tx, ofHeads, { exported, names: signed });
    // Before the chain: a name that was changed echoes through every row that stands under it.
    verifyNames(reference, signed, findings);
    const check = { db: tx, key: sealKey, reference, findings };
    const walks = await verifyChain(check);
    await findUnsealed(check);
    for (const { check, row, detail } of ofHeads.all) findings.add(check, row, detail);
    await verifyBooks(tx, findings);
    return {
      findings: findings.all,
      continued_from: null,
      since: null,
      ...(await seePlace(tx, walks, now)),
      transfers: walks.reduce((sum, { transfers }) => sum + transfers, 0),
      seals: walks.reduce((sum, { seals }) => sum + seals, 0),
      heads,
    };
  });
}
