/**
 * Recomputes every settled tree from its lines and bills, and compares its root with the ledger.
 * Problems name what was changed.
 */
import { type Db, queryNamed, type Transaction, transaction } from '../db/index.ts';
import { type ArchivePlace, findFileProblem } from './archive/find-file-problem.ts';
import { type Bucket, listBuckets, type Part, partsOf } from './buckets.ts';
import { rootOfParts } from './combine-roots.ts';
import { rootOf } from './merkle.ts';
import {
  CHUNK,
  type Chunk,
  hashLines,
  postingKeySql,
  readBillIds,
  readChunks,
  readLines,
} from './reward-lines.ts';
import { rootReference } from './root-reference.ts';
import { hashRules } from './rules.ts';
import { listSettled, type SettledSince, type Settlement } from './settlements.ts';
import { checkPayments } from './verify-payments.ts';
import { findChangedReports, findChangedUptime, findOtherReports } from './verify-usage.ts';

export interface SettlementReport {
  readonly settlements: number;
  readonly lines: number;
  /** Settlements whose lines are read from the archive, */
  readonly archived: number;
  /** and of these, how many files were not compared, because no archive was given. */
  readonly unread: number;
  /** Empty: nothing was changed. */
  readonly problems: readonly string[];
}

/** Lines recomputed at once. */
const STEP_LINES = 16 * CHUNK;
const PROBLEMS_MAX = 100;

/**
 * Lines without a bill of their own, or with another one: more exact than a subtree of 512 lines.
 */
const WRONG_BILLS = `select 'reward_line ' || l.batch_id || '/' || l.leaf || case
      when t.id is null then ' has no bill' else ' does not agree with transfer ' || t.id
    end as problem
  from reward_line l
    join reward_batch b on b.id = l.batch_id
    left join transfer t on t.idempotency_key = ${postingKeySql('l', 'b')}
  where l.batch_id = $1 and b.payment_id is null and l.status = 'paid'
    and not exists (
      select from reward_refusal r where r.batch_id = l.batch_id and r.leaf = l.leaf
    )
    and (
      t.id is null or t.amount <> abs(l.amount) or t.event_at <> l.hour
      or t.reward_type is distinct from l.reward_type
      or case when l.amount > 0 then t.credit_wallet else t.debit_wallet end / 32 <> l.user_id
    )
  order by l.leaf limit 10`;
/** A release pays for its referee only. */
const OTHER_REFEREES = `select
    'settlement ' || b.id || ' released another referee than reward_line ' || b.id
      || '/' || l.leaf || ' names' as problem
  from reward_batch b join reward_line l on l.batch_id = b.id
  where b.kind = 'release' and b.referee_id is distinct from l.referee_id
  order by b.id, l.leaf limit 10`;
const ORPHANED_ROOTS = `select
    'transfer ' || id || ' carries the root of a settlement that is gone' as problem
  from transfer
  where (idempotency_key like 'reward-root:%' or idempotency_key like 'reward-carrier:%')
    and id not in (select root_transfer from reward_batch where root_transfer is not null)
  order by id limit 10`;

async function checkRules(tx: Transaction): Promise<string[]> {
  const { rows } = await tx.query<{ version: number; body: string; body_hash: string }>(
    'select version, body, body_hash from reward_rules order by version',
  );
  return rows.flatMap(({ version, body, body_hash }) =>
    hashRules(body) === body_hash
      ? []
      : [`reward_rules ${version} is not the text that was hashed`],
  );
}

/** Recomputes the subtrees of a part from its lines and bills. */
async function checkPart(
  tx: Transaction,
  settlement: Settlement,
  { first, lines: size, chunks }: CheckedPart,
): Promise<string[]> {
  const problems: string[] = [];
  const end = first + size;
  for (let begin = first; begin < end; begin += STEP_LINES) {
    const lines = await readLines(tx, settlement.id, begin, STEP_LINES);
    const bills = await readBillIds(tx, settlement.id, begin, STEP_LINES);
    for (let low = begin; low < Math.min(begin + STEP_LINES, end); low += CHUNK) {
      const chunk = chunks[(low - first) / CHUNK];
      const some = lines.slice(low - begin, low - begin + CHUNK);
      const high = Math.min(low + CHUNK, end) - 1;
      if (!chunk?.root.equals(rootOf(hashLines(settlement.saltKey, some, bills, chunk.format))))
        problems.push(
          `reward_line ${settlement.id}/${low} to ${high}: one of them is not as it was settled`,
        );
    }
  }
  return problems;
}

async function checkLines(
  tx: Transaction,
  settlement: Settlement,
  parts: readonly CheckedPart[],
): Promise<string[]> {
  const { rows: different } = await tx.query<{ problem: string }>(WRONG_BILLS, [settlement.id]);
  const problems = different.map(({ problem }) => problem);
  problems.push(
    ...(await findOtherReports(tx, settlement.id)),
    ...(await findChangedUptime(tx, settlement.id, 0, Number.MAX_SAFE_INTEGER)),
  );
  const { rows } = await tx.query<{ n: number }>(
    'select count(*) as n from reward_line where batch_id = $1',
    [settlement.id],
  );
  if (rows[0]?.n !== settlement.lines)
    problems.push(`settlement ${settlement.id} has ${rows[0]?.n} lines, not ${settlement.lines}`);
  for (const part of parts) problems.push(...(await checkPart(tx, settlement, part)));
  return problems;
}

interface CheckedPart extends Part {
  readonly chunks: readonly Chunk[];
}

async function readParts(
  tx: Transaction,
  settlement: Settlement,
  buckets: readonly Bucket[],
): Promise<CheckedPart[]> {
  const parts: CheckedPart[] = [];
  for (const part of partsOf(settlement.lines, buckets))
    parts.push({ ...part, chunks: await readChunks(tx, settlement.id, part) });
  return parts;
}

async function checkSettlement(tx: Transaction, settlement: Settlement): Promise<string[]> {
  if (settlement.lines === 0) return [];
  const buckets = await listBuckets(tx, settlement.id);
  const parts = await readParts(tx, settlement, buckets);
  const problems = settlement.movedAt === null ? await checkLines(tx, settlement, parts) : [];
  const roots = parts.map(({ chunks }) => rootOf(chunks.map((chunk) => chunk.root)));
  for (const { bucket, root } of buckets) {
    if (!roots[bucket] || !root?.equals(roots[bucket]))
      problems.push(`bucket ${bucket} of settlement ${settlement.id} has another root than it had`);
  }
  const root = rootOfParts(buckets, roots);
  if (!settlement.root?.equals(root))
    problems.push(`settlement ${settlement.id} has another root than its lines`);
  const reference = rootReference(settlement.id, settlement.lines, root);
  const { rows: carriers } = await queryNamed<{ is_of_hour: boolean }>(
    tx,
    `select event_at = :hour as is_of_hour from transfer
      where id = :root_transfer and reference = :reference`,
    { root_transfer: settlement.rootTransfer, reference, hour: settlement.hour },
  );
  if (!carriers[0])
    problems.push(`the ledger does not carry the root of settlement ${settlement.id}`);
  else if (!carriers[0].is_of_hour)
    problems.push(`settlement ${settlement.id} is of another hour in the ledger`);
  return problems;
}

async function checkFiles(archive: ArchivePlace, moved: readonly Settlement[]): Promise<string[]> {
  const problems: string[] = [];
  for (const settlement of moved) {
    const problem = await findFileProblem(archive, settlement);
    if (problem !== undefined) problems.push(`settlement ${settlement.id}: ${problem}`);
  }
  return problems;
}

/**
 * Checks settlements in one snapshot. Changes of the ledger itself are found by its check.
 * @param since settled then or later, with reports about that time; null: all
 * @param archive whose files are compared, too
 */
export async function verifySettlements(
  db: Db,
  since: SettledSince | null = null,
  archive?: ArchivePlace,
): Promise<SettlementReport> {
  return transaction(db, async (tx) => {
    if (!db.isTransaction)
      await tx.query('set transaction isolation level repeatable read, read only');
    // All settlements take longer than a request may.
    await tx.query('set local statement_timeout = 0');
    const settlements = await listSettled(tx, since);
    const problems = [
      ...(await checkRules(tx)),
      ...(await findChangedReports(tx, since?.at ?? null)),
      ...(await checkPayments(tx, since)),
    ];
    for (const settlement of settlements) {
      if (problems.length < PROBLEMS_MAX) problems.push(...(await checkSettlement(tx, settlement)));
    }
    for (const check of [OTHER_REFEREES, ORPHANED_ROOTS])
      problems.push(
        ...(await tx.query<{ problem: string }>(check)).rows.map(({ problem }) => problem),
      );
    const read = settlements.filter(({ movedAt }) => movedAt === null);
    const moved = settlements.filter(({ movedAt }) => movedAt !== null);
    if (archive) problems.push(...(await checkFiles(archive, moved)));
    return {
      settlements: settlements.length,
      lines: read.reduce((sum, { lines }) => sum + lines, 0),
      archived: moved.length,
      unread: archive ? 0 : moved.length,
      problems: problems.slice(0, PROBLEMS_MAX),
    };
  });
}
