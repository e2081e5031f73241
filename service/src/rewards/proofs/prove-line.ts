/** Proves one line: its calculation, usage, and path to the root in the ledger. */
import { calculate, explain } from '@edge-account/sdk/reward-proof';
import { type Db, queryNamed } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import type { RewardArchive } from '../archive/open-archived.ts';
import { findRules } from '../manage-rules.ts';
import { type LeafFormat, type Line, refereeCommitment, saltOf } from '../reward-lines.ts';
import { rootReference } from '../root-reference.ts';
import { readRules } from '../rules.ts';
import type { RulesBody } from '../rules-schema.ts';
import { findSettlement, type Settlement } from '../settlements.ts';
import { findLeaf, type Leaf, notProvable } from './find-leaf.ts';
import type { LineProof } from './proof.ts';
import { recordsOf, type SettledRecords } from './settled-records.ts';

/** The reports of a line. @throws `not_provable` when they or the time online were changed */
async function findUsage(records: SettledRecords, line: Line): Promise<LineProof['reports']> {
  const { reports, problem } = await records.findUsage(line);
  if (problem !== undefined) throw notProvable(problem);
  return reports;
}

function toProofLine({ saltKey }: Settlement, { line, format }: Leaf): LineProof['line'] {
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

interface Anchored {
  readonly settlement: Settlement;
  readonly root: Buffer;
  readonly reference: string;
}

/** A settlement whose root the ledger carries. @throws `not_settled`, `not_provable` */
async function findAnchored(db: Db, settlementId: number): Promise<Anchored> {
  const settlement = await findSettlement(db, settlementId);
  if (!settlement) throw notProvable(`Settlement ${settlementId} is gone`);
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
  return { settlement, root: settlement.root, reference };
}

export interface ProvenLine
  extends Pick<LineProof, 'explanation' | 'line' | 'rules' | 'reports' | 'tree' | 'ledger'> {
  readonly format: LeafFormat;
  /** The bill that paid it; undefined: the ledger refused it. */
  readonly billId: number | undefined;
}

/** @throws `not_settled`, `not_provable`, `unavailable` */
export async function proveLine(
  db: Db,
  archive: RewardArchive,
  { settlementId, leaf }: { readonly settlementId: number; readonly leaf: number },
  currency: { readonly code: string; readonly scale: number },
): Promise<ProvenLine> {
  const { settlement, root, reference } = await findAnchored(db, settlementId);
  const records = await recordsOf(db, archive, settlement);
  const found = await findLeaf(db, records, settlement, leaf);
  const rules = await findRules(db, found.line.ruleVersion);
  const line = toProofLine(settlement, found);
  const calculation = calculate(
    readRules(JSON.parse(rules.body) as RulesBody, currency.scale),
    line,
    currency,
  );
  if (!calculation)
    throw notProvable(`No rule of version ${found.line.ruleVersion} explains the bill`);
  return {
    format: found.format,
    billId: found.billId,
    explanation: explain(line, calculation, currency),
    line,
    rules: rules.body,
    reports: await findUsage(records, found.line),
    tree: {
      salt: saltOf(settlement.saltKey, leaf).toString('hex'),
      ...found.tree,
      root: root.toString('hex'),
    },
    ledger: { reference },
  };
}
