/** Verifies the ledger from its last signed head on. */
import { type Db, transaction } from '../../db/index.ts';
import { getLedgerContext } from '../ledger-context.ts';
import { loadReference } from '../reference-data.ts';
import { type HeadBody, listHeads, type SignedHead } from '../signed-heads.ts';
import { createFindings } from './findings.ts';
import { verifyChain } from './verify-chain.ts';
import { verifyLastHead } from './verify-heads.ts';
import type { LedgerReport } from './verify-ledger.ts';
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
  return transaction(db, async (tx) => {
    if (!db.isTransaction)
      await tx.query('set transaction isolation level repeatable read, read only');
    await tx.query('set local statement_timeout = 0');
    await tx.query(`set local work_mem = '${SORT_MEMORY}'`);
    const [last] = await listHeads(tx, 1);
    if (!last) return undefined;
    const findings = createFindings();
    const names: KnownNames = new Map();
    const body = await verifyLastHead(tx, findings, { last, exported, names });
    const heads = 1 + exported.length;
    if (!body) return { findings: findings.all, since: last.day, transfers: 0, seals: 0, heads };
    const from = toWalks(body);
    if (!from) return undefined;
    const { sealKey: key } = getLedgerContext(tx);
    const reference = await loadReference(tx);
    verifyNames(reference, names, findings);
    const starts = new Map(from.map((walk) => [walk.shard, walk]));
    const to = await verifyChain({ db: tx, key, reference, findings }, starts);
    await verifyNewPostings(tx, findings, from, to);
    return {
      findings: findings.all,
      since: body.signed_at,
      ...(body.audit && { auditSince: body.audit }),
      heads,
      transfers: sumOf(to, 'transfers') - sumOf(from, 'transfers'),
      seals: sumOf(to, 'seals') - sumOf(from, 'seals'),
    };
  });
}
