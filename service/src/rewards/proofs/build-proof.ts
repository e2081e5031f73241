/** Builds the proof of a bill. The SDK checks it by the same code, from the document alone. */
import {
  calculate,
  explain,
  PROOF_CHECKS,
  PROOF_FORMATS,
  signedText,
  verifyRewardProof,
} from '@edge-account/sdk/reward-proof';
import { type Db, defineStatement, execute, queryNamed } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import { formatAmount } from '../../lib/money.ts';
import { hashBuckets, listBuckets, type Part, partsOf } from '../buckets.ts';
import { findRules } from '../manage-rules.ts';
import { pathOf, rootOf } from '../merkle.ts';
import {
  CHUNK,
  hashLines,
  type LeafFormat,
  type Line,
  parseLineKey,
  readBillIds,
  readChunks,
  readLines,
  refereeCommitment,
  saltOf,
} from '../reward-lines.ts';
import { rootReference } from '../root-reference.ts';
import { readRules } from '../rules.ts';
import type { RulesBody } from '../rules-schema.ts';
import { findSettlement, type Settlement } from '../settlements.ts';
import { findChangedUptime } from '../verify-usage.ts';
import { findReports } from './find-reports.ts';
import type { Proof, UnsignedProof } from './proof.ts';
import type { ProofKey } from './proof-key.ts';

const WALLETS_PER_USER = 32;
const BY_HAND = { detail: 'An operator posted this bill; it has no rule and no usage.' };

interface BillRow {
  readonly idempotency_key: string;
  readonly amount: string;
  readonly currency: string;
  readonly scale: number;
  readonly business: string;
  readonly event_at: Date;
}

const BILL = defineStatement(
  'reward_proof_bill',
  `select t.idempotency_key, t.amount, c.code as currency, c.scale, b.code as business, t.event_at
  from transfer t
    join currency c on c.id = t.currency_id
    join transaction_type b on b.id = t.business_id
    cross join lateral (
      select case when :direction = 1 then t.credit_wallet else t.debit_wallet end as id
    ) wallet
  where t.id = :transfer and wallet.id > 0 and wallet.id / ${WALLETS_PER_USER} = :user`,
);

/** A bill's id is made of its transfer's and its direction. */
async function findBill(
  db: Db,
  userId: number,
  billId: number,
): Promise<{ row: BillRow; direction: number }> {
  const direction = (billId % 2) + 1;
  const { rows } = await execute<BillRow>(db, BILL, {
    transfer: Math.floor(billId / 2),
    direction,
    user: userId,
  });
  if (!rows[0]) throw failure('not_found');
  return { row: rows[0], direction };
}

/** Records that were changed after the settlement: a proof of them would be invalid. */
function notProvable(problem: string): Error {
  return failure('not_provable', {
    detail:
      `${problem}, so no proof can be made. ` +
      'Tell the operator: a check of the ledger names the changed records.',
  });
}

interface Leaf {
  readonly line: Line;
  readonly format: LeafFormat;
  readonly tree: Pick<Proof['tree'], 'size' | 'path' | 'bucket'>;
  /** The bill that paid it; undefined: not paid. */
  readonly billId: number | undefined;
}

/** The tree of a leaf, without its path: that of its bucket, or of the whole settlement. */
interface Subtree extends Part {
  /** Hashes of all buckets; none: the settlement has one tree. */
  readonly hashes: readonly Buffer[];
}

async function findSubtree(db: Db, settlement: Settlement, leaf: number): Promise<Subtree> {
  const buckets = await listBuckets(db, settlement.id);
  const parts = partsOf(settlement.lines, buckets);
  const part = parts.find(({ first, lines }) => leaf >= first && leaf < first + lines);
  const hashes = hashBuckets(buckets);
  if (!part || !hashes) throw notProvable(OTHER_LINES(settlement));
  return { ...part, hashes };
}

const OTHER_LINES = ({ id }: Settlement): string =>
  `The lines of settlement ${id} are not those that were settled`;

async function findLeaf(db: Db, settlement: Settlement, leaf: number): Promise<Leaf> {
  const { first, lines: size, bucket, hashes: buckets } = await findSubtree(db, settlement, leaf);
  const begin = Math.floor(leaf / CHUNK) * CHUNK;
  const lines = await readLines(db, settlement.id, begin, CHUNK);
  const line = lines[leaf - begin];
  const chunks = await readChunks(db, settlement.id, { first, lines: size });
  const chunk = (begin - first) / CHUNK;
  const format = chunks[chunk]?.format ?? 2;
  const bills = await readBillIds(db, settlement.id, begin, CHUNK);
  const hashes = hashLines(settlement.saltKey, lines, bills, format);
  const ofChunks = chunks.map(({ root }) => root);
  if (!line || !ofChunks[chunk]?.equals(rootOf(hashes))) throw notProvable(OTHER_LINES(settlement));
  const path = [...pathOf(hashes, leaf - begin), ...pathOf(ofChunks, chunk)];
  return {
    line,
    format,
    billId: bills.get(leaf),
    tree: {
      size: settlement.lines,
      ...(buckets.length > 0 && { bucket: { number: bucket, size, count: buckets.length } }),
      path: [...path, ...pathOf(buckets, bucket)].map((hash) => hash.toString('hex')),
    },
  };
}

/** The reports of a line. @throws `not_provable` when they or the time online were changed */
async function findUsage(db: Db, line: Line): Promise<Proof['reports']> {
  const { reports, changed } = await findReports(db, line);
  if (changed.length > 0)
    throw notProvable(`Traffic report ${changed[0]} is not what the relay sent`);
  const [problem] = await findChangedUptime(db, line.settlementId, line.leaf, line.leaf + 1);
  if (problem !== undefined)
    throw notProvable(`The measured time online is not what was settled (${problem})`);
  return reports;
}

function toProofLine({ saltKey }: Settlement, { line, format }: Leaf): Proof['line'] {
  return {
    batch: line.settlementId,
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
    ...(format === 3 && {
      reports_hash: line.reportsHash ?? '',
      referee: refereeCommitment(saltKey, line.leaf, line.refereeId),
    }),
  };
}

async function findSettled(
  db: Db,
  idempotencyKey: string,
): Promise<{ settlement: Settlement; root: Buffer; reference: string; leaf: number }> {
  const name = parseLineKey(idempotencyKey);
  if (!name) throw failure('not_paid_by_rules', BY_HAND);
  const settlement = await findSettlement(db, name.settlementId);
  if (!settlement) throw notProvable(`Settlement ${name.settlementId} is gone`);
  if (!settlement.root)
    throw failure('not_settled', { detail: 'The hour is being settled.', retryAfter_s: 10 });
  const reference = rootReference(settlement.id, settlement.lines, settlement.root);
  const { rowCount } = await queryNamed(
    db,
    'select from transfer where id = :root_transfer and reference = :reference',
    { root_transfer: settlement.rootTransfer, reference },
  );
  if (rowCount === 0)
    throw notProvable(`The ledger does not carry the root of settlement ${settlement.id}`);
  return { settlement, root: settlement.root, reference, leaf: name.leaf };
}

/** Signs a proof after it has passed the checks of the SDK. */
async function signProof(key: ProofKey, unsigned: UnsignedProof): Promise<Proof> {
  const proof = { ...unsigned, signature: key.sign(signedText(unsigned)) };
  const outcome = await verifyRewardProof(JSON.stringify(proof), [key.published]);
  const broken = PROOF_CHECKS.filter((check) => !outcome[check]);
  if (broken.length > 0)
    throw notProvable(`The records contradict each other (${broken.join(', ')})`);
  return proof;
}

/** @throws `not_found`, `not_paid_by_rules`, `not_settled`, `not_provable` */
export async function buildProof(
  db: Db,
  key: ProofKey,
  userId: number,
  billId: number,
): Promise<Proof> {
  const { row, direction } = await findBill(db, userId, billId);
  const { settlement, root, reference, leaf } = await findSettled(db, row.idempotency_key);
  const found = await findLeaf(db, settlement, leaf);
  const { line, format, tree } = found;
  // The ledger refused the line: the bill is of another request under the same key.
  if (found.billId !== billId) throw failure('not_paid_by_rules', BY_HAND);
  const rules = await findRules(db, line.ruleVersion);
  const currency = { code: row.currency, scale: row.scale };
  const proofLine = toProofLine(settlement, found);
  const calculation = calculate(
    readRules(JSON.parse(rules.body) as RulesBody, row.scale),
    proofLine,
    currency,
  );
  if (!calculation) throw notProvable(`No rule of version ${line.ruleVersion} explains the bill`);
  return signProof(key, {
    format: PROOF_FORMATS[tree.bucket ? 4 : format],
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
    reports: await findUsage(db, line),
    tree: {
      salt: saltOf(settlement.saltKey, leaf).toString('hex'),
      ...tree,
      root: root.toString('hex'),
    },
    ledger: { reference },
    key_id: key.published.kid,
  });
}
