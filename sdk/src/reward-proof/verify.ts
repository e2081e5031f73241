/**
 * Checks the proof of a reward from nothing but its text and the published keys: everything in it
 * is calculated anew, apart from the query that settled. Runs in browsers and in Node.js.
 */
import { toMinorUnits } from '../decimals.ts';
import { calculate, explain } from './calculate.ts';
import { computeMerkleRoot, hashText, isSigned, type RewardKey } from './hashing.ts';
import {
  type LineProof,
  leafFormatOf,
  lineContent,
  PROOF_FORMATS,
  type RewardProof,
  signedText,
  toLineProofs,
} from './proof.ts';
import { hasReports } from './reports.ts';
import { HOUR_MS, readPayingRules } from './rules.ts';

export const PROOF_CHECKS = [
  'whole',
  'signed',
  'billed',
  'calculated',
  'ruled',
  'reported',
  'rooted',
  'sealed',
] as const;
export type ProofCheck = (typeof PROOF_CHECKS)[number];

function isOfBill({ bill, line }: LineProof): boolean {
  const business = line.level > 0 ? 'referral_reward' : 'reward';
  return bill.user_id === line.user_id && bill.business_id === business && line.status === 'paid';
}

const DAY_MS = 24 * HOUR_MS;

/** A bill of a day pays lines of that day for one device and reward type, each once. */
function isOfDay({ bill, line }: LineProof, first: LineProof['line']): boolean {
  const sinceStart_ms = Date.parse(line.hour) - Date.parse(bill.event_at);
  return (
    Date.parse(bill.event_at) % DAY_MS === 0 &&
    sinceStart_ms >= 0 &&
    sinceStart_ms < DAY_MS &&
    line.node_id === first.node_id &&
    line.reward_type === first.reward_type
  );
}

function isBilled(proof: RewardProof, lines: readonly LineProof[]): boolean {
  const { bill } = proof;
  const [first] = lines;
  const amount = toMinorUnits(bill.amount, bill.scale);
  const signed = bill.amount_direction === 1 ? amount : -amount;
  const sum = lines.reduce((total, { line }) => total + BigInt(line.amount), 0n);
  if (!first || sum !== signed || !lines.every(isOfBill)) return false;
  if (!('lines' in proof)) return bill.event_at === first.line.hour;
  const leaves = new Set(lines.map(({ line }) => `${line.batch}/${line.leaf}`));
  return leaves.size === lines.length && lines.every((given) => isOfDay(given, first.line));
}

function isCalculated({ line, rules, bill, explanation }: LineProof): boolean {
  const currency = { code: bill.currency, scale: bill.scale };
  const calculation = calculate(readPayingRules(rules, bill.scale), line, currency);
  if (!calculation || String(calculation.rate) !== line.rate) return false;
  return (
    calculation.target - BigInt(line.settled_before) === BigInt(line.amount) &&
    explain(line, calculation, currency) === explanation
  );
}

async function attempt(check: () => boolean | Promise<boolean>): Promise<boolean> {
  try {
    return await check();
  } catch {
    return false;
  }
}

function parse(text: string): RewardProof | undefined {
  try {
    return JSON.parse(text) as RewardProof;
  } catch {
    return undefined;
  }
}

/** None where the document is not a proof. */
function attemptLines(proof: RewardProof): LineProof[] {
  try {
    return toLineProofs(proof);
  } catch {
    return [];
  }
}

/** Every check with its outcome; the proof holds when all passed. */
export async function verifyRewardProof(
  text: string,
  keys: readonly RewardKey[],
): Promise<Readonly<Record<ProofCheck, boolean>>> {
  const proof = parse(text);
  const lines = proof === undefined ? [] : attemptLines(proof);
  const ofEach =
    (check: (line: LineProof) => boolean | Promise<boolean>) => async (): Promise<boolean> =>
      lines.length > 0 && (await Promise.all(lines.map(check))).every(Boolean);
  const checks: Readonly<Record<ProofCheck, (proof: RewardProof) => boolean | Promise<boolean>>> = {
    // Spaces, or a member that nothing checks, would be bytes that may change unseen.
    whole: async (given) =>
      'lines' in given === (given.format === PROOF_FORMATS[5]) &&
      JSON.stringify(given) === text &&
      ofEach((line) => leafFormatOf(line) !== undefined)(),
    signed: (given) => isSigned(keys, given.key_id, signedText(given), given.signature),
    billed: (given) => isBilled(given, lines),
    calculated: ofEach(isCalculated),
    ruled: ofEach(async ({ rules, line }) => (await hashText(rules)) === line.rule_hash),
    reported: ofEach(hasReports),
    rooted: ofEach(
      async (given) =>
        (await computeMerkleRoot(given.tree, lineContent(given), given.line.leaf)) ===
        given.tree.root,
    ),
    sealed: ofEach(
      ({ ledger, line, tree }) =>
        ledger.reference === `rewards ${line.batch} ${tree.size} ${tree.root}`,
    ),
  };
  const outcomes = await Promise.all(
    PROOF_CHECKS.map(
      async (name) =>
        [name, proof !== undefined && (await attempt(() => checks[name](proof)))] as const,
    ),
  );
  return Object.fromEntries(outcomes) as Record<ProofCheck, boolean>;
}
