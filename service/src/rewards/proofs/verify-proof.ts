/** Checks a proof from nothing but its text and the published keys. */
import { spreadOverHours } from '../../devices/index.ts';
import { parseAmount } from '../../lib/money.ts';
import { lineContent } from '../lines.ts';
import { climb, hashLeaf } from '../merkle.ts';
import { hashRules, type RulesBody, readRules } from '../rules.ts';
import { calculate, explain } from './calculate.ts';
import { PROOF_FORMAT, type Proof, signedText } from './proof.ts';
import { isSigned, type PublicProofKey } from './proof-key.ts';

/** No relay may report more at once. */
const SPAN_MAX_MS = 86_400_000;

export interface Check {
  readonly name: string;
  readonly isPassed: boolean;
}

function leafOf({ line, tree }: Proof): Buffer {
  const content = lineContent({
    batchId: line.batch,
    leaf: line.leaf,
    hour: new Date(line.hour),
    ruleVersion: line.rule_version,
    ruleHash: line.rule_hash,
    userId: line.user_id,
    nodeId: line.node_id,
    rewardType: line.reward_type,
    level: line.level,
    part: line.part,
    status: line.status as 'paid',
    quantity: line.quantity,
    rate: line.rate,
    settledBefore: line.settled_before,
    amount: line.amount,
    reason: line.reason === '' ? null : line.reason,
  });
  return hashLeaf(Buffer.from(tree.salt, 'hex'), content);
}

function leadsToRoot(proof: Proof): boolean {
  const { line, tree } = proof;
  const path = tree.path.map((text) => Buffer.from(text, 'hex'));
  return climb(leafOf(proof), line.leaf, tree.size, path)?.toString('hex') === tree.root;
}

function isCalculated({ line, rules, bill, explanation }: Proof): boolean {
  const read = readRules(JSON.parse(rules) as RulesBody, bill.scale);
  const currency = { code: bill.currency, scale: bill.scale };
  const calculation = calculate(read, line, currency);
  if (!calculation || String(calculation.rate) !== line.rate) return false;
  return calculation.target - BigInt(line.settled_before) === BigInt(line.amount) && explain(line, calculation, currency) === explanation;
}

function isReported({ line, reports }: Proof): boolean {
  if (line.reward_type !== 'TRAFFIC') return reports.length === 0;
  const hour_ms = new Date(line.hour).getTime();
  let sum = 0n;
  for (const { client_id, report_id, bytes_up, bytes_down, category, from, to } of reports) {
    const span_ms = new Date(to).getTime() - new Date(from).getTime();
    if (category !== line.part || !(span_ms > 0 && span_ms <= SPAN_MAX_MS)) return false;
    const report = {
      reportId: `${client_id} ${report_id}`,
      nodeId: line.node_id,
      bytesUp: BigInt(bytes_up),
      bytesDown: BigInt(bytes_down),
      from: new Date(from),
      to: new Date(to),
    };
    for (const share of spreadOverHours(report)) if (share.hour.getTime() === hour_ms) sum += share.bytesUp + share.bytesDown;
  }
  const ids = new Set(reports.map(({ client_id, report_id }) => JSON.stringify([client_id, report_id])));
  return sum === BigInt(line.quantity) && ids.size === reports.length;
}

function isBilled({ bill, line }: Proof): boolean {
  const amount = parseAmount(bill.amount, bill.scale);
  const signed = bill.amount_direction === 1 ? amount : -amount;
  const business = line.level > 0 ? 'referral_reward' : 'reward';
  return (
    signed === BigInt(line.amount) && bill.user_id === line.user_id && bill.business_id === business && bill.event_at === line.hour && line.status === 'paid'
  );
}

const CHECKS: readonly (readonly [string, (proof: Proof) => boolean])[] = [
  ['the bill is for the amount of the line', isBilled],
  ['the amount follows from quantity, rate and rules', isCalculated],
  ['the rules are those that the line names', ({ rules, line }) => hashRules(rules) === line.rule_hash],
  ['the usage reports make up the quantity', isReported],
  ['the line leads to the root', leadsToRoot],
  ['the ledger carries the root', ({ ledger, line, tree }) => ledger.reference === `rewards ${line.batch} ${tree.root}`],
];

function attempt(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}

/** Every check with its outcome; the proof holds when all passed. */
export function verifyProof(text: string, keys: readonly PublicProofKey[]): Check[] {
  let proof: Proof;
  try {
    proof = JSON.parse(text) as Proof;
  } catch {
    return [{ name: 'the file is a proof', isPassed: false }];
  }
  // Spaces, or a member that nothing checks, would be bytes that may change unseen.
  const isWhole = attempt(() => proof.format === PROOF_FORMAT && JSON.stringify(proof) === text);
  const isGenuine = attempt(() => isSigned(keys, proof.key_id, signedText(proof), proof.signature));
  return [
    { name: 'the file is a proof, as it was sent', isPassed: isWhole },
    { name: 'a published key signed it', isPassed: isGenuine },
    ...CHECKS.map(([name, check]) => ({ name, isPassed: attempt(() => check(proof)) })),
  ];
}
