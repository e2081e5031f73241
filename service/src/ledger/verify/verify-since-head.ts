/** Verifies the ledger from its last verification on, or from its last signed head. */
import { type Db, transaction } from '../../db/index.ts';
import { getLedgerContext } from '../ledger-context.ts';
import { loadReference } from '../reference-data.ts';
import { type HeadBody, listHeads, type SignedHead } from '../signed-heads.ts';
import { createFindings, type Findings } from './findings.ts';
import { seePlace } from './see-place.ts';
import { findVerifiedPlace } from './verified-place.ts';
import { verifyChain } from './verify-chain.ts';
import { verifyHeadsSince, verifyLastHead } from './verify-heads.ts';
import { type LedgerReport, verifyLedger } from './verify-ledger.ts';
import { verifyNewPostings } from './verify-new-postings.ts';
import { type KnownNames, verifyNames } from './verify-reference-data.ts';
import type { Walk } from './verify-rows.ts';

/** Where every shard stood at a head; undefined for a head that lacks it. */
function toWalks({ shards }: HeadBody): Walk[] | undefined {
  const walks = shards.flatMap(({ refusals, mac, ...rest }) =>
    refusals === undefined ? [] : [{ ...rest, refusals, mac: Buffer.from(mac, 'hex') }],
  );
  return walks.length === shards.length ? walks : undefined;
}

/** Of each sort of new rows: with PostgreSQL's 4 MB a day takes 40 % longer, with more no less. */
const SORT_MEMORY = '64MB';

const sumOf = (walks: readonly Walk[], field: 'transfers' | 'seals'): number =>
  walks.reduce((sum, walk) => sum + walk[field], 0);

interface Since {
  /** Where every shard stood. */
  readonly from: readonly Walk[];
  /** What signed heads name. */
  readonly names: KnownNames;
  readonly now: Date;
}

/** What was posted since a place, and every account and hold that it changed. */
async function verifySince(tx: Db, findings: Findings, { from, names, now }: Since) {
  const { sealKey: key } = getLedgerContext(tx);
  const reference = await loadReference(tx);
  verifyNames(reference, names, findings);
  const starts = new Map(from.map((walk) => [walk.shard, walk]));
  const to = await verifyChain({ db: tx, key, reference, findings }, starts);
  await verifyNewPostings(tx, findings, from, to);
  return {
    from: from.map(({ shard, transfers }) => ({ shard, transfers })),
    transfers: sumOf(to, 'transfers') - sumOf(from, 'transfers'),
    seals: sumOf(to, 'seals') - sumOf(from, 'seals'),
    ...(await seePlace(tx, to, now)),
  };
}

/** One snapshot, however long it takes. */
function onSnapshot<T>(db: Db, work: (tx: Db, now: Date) => Promise<T>): Promise<T> {
  return transaction(db, async (tx) => {
    const now = getLedgerContext(tx).clock.now();
    if (!db.isTransaction)
      await tx.query('set transaction isolation level repeatable read, read only');
    await tx.query('set local statement_timeout = 0');
    await tx.query(`set local work_mem = '${SORT_MEMORY}'`);
    return work(tx, now);
  });
}

/**
 * Verifies what was posted since the last stored head, and every account and hold that it changed,
 * on one snapshot. A row from before the head that was changed is found when something new refers
 * to it, and by `verifyLedger`.
 * @param exported heads kept outside of the database; only they show that the end of the chain was
 *   cut off
 * @returns undefined without a head to continue from
 */
export async function verifyLedgerSinceHead(
  db: Db,
  exported: readonly SignedHead[] = [],
): Promise<LedgerReport | undefined> {
  return onSnapshot(db, async (tx, now) => {
    const [last] = await listHeads(tx, { limit: 1 });
    if (!last) return undefined;
    const findings = createFindings();
    const names: KnownNames = new Map();
    const body = await verifyLastHead(tx, findings, { last, exported, names });
    // Without a valid signature there is nothing that it could continue from.
    const from = body ? toWalks(body) : [];
    if (!from) return undefined;
    const heads = 1 + exported.length;
    const report = { findings: findings.all, continued_from: 'head', heads } as const;
    if (!body) {
      const seen = { transfers: 0, seals: 0, ...(await seePlace(tx, from, now)) };
      return { ...report, since: last.day, ...seen };
    }
    return {
      ...report,
      since: body.signed_at,
      ...(body.audit && { auditSince: body.audit }),
      ...(await verifySince(tx, findings, { from, names, now })),
    };
  });
}

/**
 * The same since the last verification that found nothing and was recorded: between the two there
 * is nothing that neither has read. Without such a record the whole ledger.
 */
export async function verifyLedgerSinceVerification(
  db: Db,
  exported: readonly SignedHead[] = [],
): Promise<LedgerReport> {
  const { place, forged } = await findVerifiedPlace(db);
  if (!place) {
    const report = await verifyLedger(db, exported);
    return { ...report, findings: [...forged, ...report.findings] };
  }
  return onSnapshot(db, async (tx, now) => {
    const findings = createFindings();
    const names: KnownNames = new Map();
    for (const { check, row, detail } of forged) findings.add(check, row, detail);
    const heads = await verifyHeadsSince(tx, findings, place, { exported, names });
    const from = place.shards.map((shard) => ({ ...shard, mac: Buffer.from(shard.mac, 'hex') }));
    return {
      findings: findings.all,
      continued_from: 'verification',
      since: place.verified_until,
      ...(place.audit && { auditSince: place.audit }),
      heads,
      ...(await verifySince(tx, findings, { from, names, now })),
    };
  });
}
