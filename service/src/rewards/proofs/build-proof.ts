/** Makes the proof of a bill. Who checks it calculates by the same code, from the document alone. */
import { calculate, explain, PROOF_CHECKS, PROOF_FORMAT, signedText, verifyRewardProof } from '@edge-account/sdk/reward-proof';
import type { Db } from '../../db/index.ts';
import { spreadOverHours } from '../../devices/index.ts';
import { failure } from '../../lib/failures.ts';
import { formatAmount } from '../../lib/money.ts';
import { type Batch, findBatch } from '../batches.ts';
import { CHUNK, hashLine, type Line, readBillIds, readLines, saltOf } from '../lines.ts';
import { findRules } from '../manage-rules.ts';
import { pathOf, rootOf } from '../merkle.ts';
import { readPostingName } from '../post-batch.ts';
import { rootReference } from '../root-reference.ts';
import { type RulesBody, readRules } from '../rules.ts';
import type { Proof, UnsignedProof } from './proof.ts';
import type { ProofKey } from './proof-key.ts';

const PERSONS_WALLETS = 32;

interface BillRow {
  readonly idem: string;
  readonly amount: string;
  readonly currency: string;
  readonly scale: number;
  readonly business: string;
  readonly event_at: Date;
}

const BILL = `select t.idem, t.amount, c.code as currency, c.scale, b.code as business, t.event_at
  from transfer t join currency c on c.id = t.currency_id join business b on b.id = t.business_id
  where t.id = $1 and case when $2 = 1 then t.credit_wallet else t.debit_wallet end / ${PERSONS_WALLETS} = $3
    and case when $2 = 1 then t.credit_wallet else t.debit_wallet end > 0`;

/** A bill's id is made of its transfer's and its direction. */
async function findBill(db: Db, userId: number, billId: number): Promise<{ row: BillRow; direction: number }> {
  const direction = (billId % 2) + 1;
  const { rows } = await db.query<BillRow>(BILL, [Math.floor(billId / 2), direction, userId]);
  if (!rows[0]) throw failure('not_found');
  return { row: rows[0], direction };
}

/** What no longer fits together was changed since; a proof of it would not hold. */
function notProvable(what: string): Error {
  return failure('not_provable', { detail: `${what}, so no proof can be made. Tell the operator: a check of the ledger names what was changed.` });
}

async function findPath(db: Db, batch: Batch, leaf: number): Promise<{ line: Line; path: Buffer[] }> {
  const chunk = Math.floor(leaf / CHUNK);
  const lines = await readLines(db, batch.id, chunk * CHUNK, CHUNK);
  const line = lines[leaf % CHUNK];
  const bills = await readBillIds(db, batch.id, chunk * CHUNK, CHUNK);
  const hashes = lines.map((candidate) => hashLine(batch.saltKey, candidate, bills));
  const { rows } = await db.query<{ root: Buffer }>('select root from reward_chunk where batch_id = $1 order by chunk', [batch.id]);
  const roots = rows.map(({ root }) => root);
  if (!line || !roots[chunk]?.equals(rootOf(hashes))) throw notProvable(`The lines of settlement ${batch.id} are not those that were settled`);
  return { line, path: [...pathOf(hashes, leaf % CHUNK), ...pathOf(roots, chunk)] };
}

interface ReportRow {
  readonly client_id: string;
  readonly report_id: string;
  readonly bytes_up: string;
  readonly bytes_down: string;
  readonly from_at: Date;
  readonly to_at: Date;
}

const REPORTS = `select client_id, report_id, bytes_up, bytes_down, from_at, to_at from traffic_report
  where device_id = $1 and refusal is null and coalesce(category, '') = $2 and from_at < $3::timestamptz + interval '1 hour' and from_at > $3::timestamptz - interval '1 day'
    and to_at > $3 order by received_at, client_id, report_id`;

/** The reports that had come when the line was settled: as many, in the order they came, as make up its quantity. */
async function findReports(db: Db, line: Line): Promise<Proof['reports']> {
  if (line.rewardType !== 'TRAFFIC') return [];
  const { rows } = await db.query<ReportRow>(REPORTS, [line.deviceId, line.part, line.hour]);
  const reports: Proof['reports'] = [];
  let left = BigInt(line.quantity);
  for (const { client_id, report_id, bytes_up, bytes_down, from_at, to_at } of rows) {
    const report = { reportId: report_id, nodeId: line.nodeId, bytesUp: BigInt(bytes_up), bytesDown: BigInt(bytes_down), from: from_at, to: to_at };
    const share = spreadOverHours(report).find(({ hour }) => hour.getTime() === line.hour.getTime());
    if (!share || left <= 0n) continue;
    left -= share.bytesUp + share.bytesDown;
    reports.push({ client_id, report_id, bytes_up, bytes_down, category: line.part, from: from_at.toISOString(), to: to_at.toISOString() });
  }
  return reports;
}

function toProofLine(line: Line): Proof['line'] {
  return {
    batch: line.batchId,
    leaf: line.leaf,
    hour: line.hour.toISOString(),
    rule_version: line.ruleVersion,
    rule_hash: line.ruleHash,
    user_id: line.userId,
    node_id: line.nodeId,
    reward_type: line.rewardType,
    level: line.level,
    part: line.part,
    status: line.status,
    quantity: line.quantity,
    rate: line.rate,
    settled_before: line.settledBefore,
    amount: line.amount,
    reason: line.reason ?? '',
  };
}

async function findSettled(db: Db, idem: string): Promise<{ batch: Batch; root: Buffer; reference: string; leaf: number }> {
  const name = readPostingName(idem);
  if (!name) throw failure('not_paid_by_rules', { detail: 'An operator booked this bill; no rule and no usage stand behind it.' });
  const batch = await findBatch(db, name.batchId);
  if (!batch) throw notProvable(`Settlement ${name.batchId} is gone`);
  if (!batch.root) throw failure('not_settled', { detail: 'The hour is being settled.', retryAfter_s: 10 });
  const reference = rootReference(batch.id, batch.lines, batch.root);
  const { rowCount } = await db.query('select from transfer where id = $1 and reference = $2', [batch.rootTransfer, reference]);
  if (rowCount === 0) throw notProvable(`The ledger does not carry the root of settlement ${batch.id}`);
  return { batch, root: batch.root, reference, leaf: name.leaf };
}

/** Signs what holds. A reader would find anything else by the same check. */
async function signProof(key: ProofKey, unsigned: UnsignedProof): Promise<Proof> {
  const proof = { ...unsigned, signature: key.sign(signedText(unsigned)) };
  const outcome = await verifyRewardProof(JSON.stringify(proof), [key.published]);
  const broken = PROOF_CHECKS.filter((check) => !outcome[check]);
  if (broken.length > 0) throw notProvable(`The records contradict each other (${broken.join(', ')})`);
  return proof;
}

/** @throws `not_found`, `not_paid_by_rules`, `not_settled`, `not_provable` */
export async function buildProof(db: Db, key: ProofKey, userId: number, billId: number): Promise<Proof> {
  const { row, direction } = await findBill(db, userId, billId);
  const { batch, root, reference, leaf } = await findSettled(db, row.idem);
  const { line, path } = await findPath(db, batch, leaf);
  const rules = await findRules(db, line.ruleVersion);
  const currency = { code: row.currency, scale: row.scale };
  const proofLine = toProofLine(line);
  const calculation = calculate(readRules(JSON.parse(rules.body) as RulesBody, row.scale), proofLine, currency);
  if (!calculation) throw notProvable(`No rule of version ${line.ruleVersion} explains the bill`);
  return signProof(key, {
    format: PROOF_FORMAT,
    explanation: explain(proofLine, calculation, currency),
    bill: {
      id: billId,
      user_id: userId,
      business_id: row.business,
      amount_direction: direction,
      amount: formatAmount(BigInt(row.amount), row.scale),
      currency: row.currency,
      scale: row.scale,
      event_at: row.event_at.toISOString(),
    },
    line: proofLine,
    rules: rules.body,
    reports: await findReports(db, line),
    tree: { salt: saltOf(batch.saltKey, leaf).toString('hex'), size: batch.lines, path: path.map((hash) => hash.toString('hex')), root: root.toString('hex') },
    ledger: { reference },
    key_id: key.published.kid,
  });
}
