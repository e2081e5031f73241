/**
 * Builds the proof of a bill: of one line, or of the lines of a day. The SDK checks it by the same
 * code, from the document alone.
 */
import {
  PROOF_CHECKS,
  PROOF_FORMATS,
  signedText,
  verifyRewardProof,
} from '@edge-account/sdk/reward-proof';
import { type Db, defineStatement, execute } from '../../db/index.ts';
import { transferById } from '../../ledger/index.ts';
import { startOfDay } from '../../lib/calendar.ts';
import { failure } from '../../lib/failures.ts';
import { formatAmount } from '../../lib/money.ts';
import { openArchive, type RewardArchive } from '../archive/open-archived.ts';
import { type DayBillName, parseDayBillKey } from '../day-bills.ts';
import { parseLineKey, WALLETS_PER_USER } from '../reward-lines.ts';
import { HOUR_MS } from '../rules.ts';
import { listPaid } from '../settlements.ts';
import { notProvable } from './find-leaf.ts';
import type { Proof, ProofBill, UnsignedProof } from './proof.ts';
import type { ProofKey } from './proof-key.ts';
import { type ProvenLine, proveLine } from './prove-line.ts';

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
  from ${transferById(':transfer::bigint')} t
    join currency c on c.id = t.currency_id
    join transaction_type b on b.id = t.business_id
    cross join lateral (
      select case when :direction = 1 then t.credit_wallet else t.debit_wallet end as id
    ) wallet
  where wallet.id > 0 and wallet.id / ${WALLETS_PER_USER} = :user`,
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

/** Signs a proof after it has passed the checks of the SDK. */
async function signProof(key: ProofKey, unsigned: UnsignedProof): Promise<Proof> {
  const proof = { ...unsigned, signature: key.sign(signedText(unsigned)) };
  const outcome = await verifyRewardProof(JSON.stringify(proof), [key.published]);
  const broken = PROOF_CHECKS.filter((check) => !outcome[check]);
  if (broken.length > 0)
    throw notProvable(`The records contradict each other (${broken.join(', ')})`);
  return proof;
}

const DAY_LINES = defineStatement(
  'reward_proof_day_lines',
  `select l.batch_id as "settlementId", l.leaf, l.hour
  from reward_line l join reward_batch b on b.id = l.batch_id
  where l.user_id = :user and l.hour >= :from and l.hour < :before
    and b.payment_id = :payment and b.closed_at is null and b.moved_at is null
    and l.reward_type = :reward_type and coalesce(l.device_id, 0) = :device
    and l.status = 'paid' and not exists (
      select from reward_refusal r where r.batch_id = l.batch_id and r.leaf = l.leaf
    )
  order by l.hour, l.batch_id, l.leaf`,
);

interface PaidLine {
  readonly settlementId: number;
  readonly leaf: number;
}

interface DayLine extends PaidLine {
  readonly hour: Date;
}

/** What proofs are made from. */
export interface ProofSource {
  readonly db: Db;
  readonly key: ProofKey;
  /** Folder of the archive of settlements; absent: there is none. */
  readonly archive?: string | undefined;
}

/** Those that a bill of a day pays, of the settlements that are read from the archive. */
async function findArchivedLines(
  db: Db,
  archive: RewardArchive,
  { paymentId, userId }: DayBillName,
  billId: number,
): Promise<DayLine[]> {
  const found: DayLine[] = [];
  for (const settlement of await listPaid(db, paymentId)) {
    if (settlement.movedAt === null || settlement.closedAt !== null) continue;
    found.push(...(await (await archive.open(settlement)).findLines(userId, billId)));
  }
  return found;
}

/** The lines that a bill of a day pays, in the order of their hours. */
async function findDayLines(
  db: Db,
  archive: RewardArchive,
  name: DayBillName,
  billId: number,
): Promise<PaidLine[]> {
  const { paymentId, day, userId, rewardType, deviceId } = name;
  const from = startOfDay(day);
  const { rows } = await execute<DayLine>(db, DAY_LINES, {
    ...{ user: userId, from, before: new Date(from.getTime() + 24 * HOUR_MS) },
    ...{ payment: paymentId, reward_type: rewardType, device: deviceId },
  });
  const archived = await findArchivedLines(db, archive, name, billId);
  // A settlement may be moved between the two reads.
  const known = new Set(archived.map(({ settlementId }) => settlementId));
  return [...archived, ...rows.filter(({ settlementId }) => !known.has(settlementId))].sort(
    (a, b) =>
      a.hour.getTime() - b.hour.getTime() || a.settlementId - b.settlementId || a.leaf - b.leaf,
  );
}

/** Where the key of a posting is of a reward that rules paid. */
async function findLines(
  db: Db,
  archive: RewardArchive,
  idempotencyKey: string,
  billId: number,
): Promise<{ isDay: boolean; lines: readonly PaidLine[] }> {
  const line = parseLineKey(idempotencyKey);
  if (line) return { isDay: false, lines: [line] };
  const name = parseDayBillKey(idempotencyKey);
  return { isDay: true, lines: name ? await findDayLines(db, archive, name, billId) : [] };
}

function toUnsigned(
  isDay: boolean,
  bill: ProofBill,
  lines: readonly ProvenLine[],
  key_id: string,
): UnsignedProof {
  const [first] = lines;
  if (!first) throw failure('not_paid_by_rules', BY_HAND);
  if (!isDay) {
    const { format, billId: _, explanation, ...rest } = first;
    const document = PROOF_FORMATS[first.tree.bucket ? 4 : format];
    return { format: document, explanation, bill, ...rest, key_id };
  }
  const rules = new Map(lines.map(({ line, rules }) => [line.rule_version, rules]));
  return {
    format: PROOF_FORMATS[5],
    bill,
    lines: lines.map(({ explanation, line, reports, tree, ledger }) => ({
      ...{ explanation, line, reports, tree, ledger },
    })),
    rules: [...rules].map(([version, text]) => ({ version, text })),
    key_id,
  };
}

/** @throws `not_found`, `not_paid_by_rules`, `not_settled`, `not_provable`, `unavailable` */
export async function buildProof(
  source: ProofSource,
  userId: number,
  billId: number,
): Promise<Proof> {
  const { db, key } = source;
  const archive = openArchive(db, source.archive);
  const { row, direction } = await findBill(db, userId, billId);
  const { isDay, lines } = await findLines(db, archive, row.idempotency_key, billId);
  const currency = { code: row.currency, scale: row.scale };
  const proven: ProvenLine[] = [];
  for (const line of lines) proven.push(await proveLine(db, archive, line, currency));
  // The ledger refused the line: the bill is of another request under the same key.
  if (proven.some((line) => line.billId !== billId)) throw failure('not_paid_by_rules', BY_HAND);
  const bill = {
    id: billId,
    user_id: userId,
    business_id: row.business,
    amount_direction: direction,
    amount: formatAmount(BigInt(row.amount), row.scale),
    currency: row.currency,
    scale: row.scale,
    event_at: row.event_at.toISOString(),
  };
  return signProof(key, toUnsigned(isDay, bill, proven, key.published.kid));
}
