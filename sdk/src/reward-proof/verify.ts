/**
 * Checks the proof of a reward from nothing but its text and the published keys: everything in it
 * is calculated anew, apart from the query that settled. Runs in browsers and in Node.js.
 */
import { toMinorUnits } from '../decimals.ts';
import { calculate, explain } from './calculate.ts';
import { computeMerkleRoot, hashText, isSigned, type RewardKey } from './hashing.ts';
import { leafFormatOf, lineContent, type RewardProof, signedText } from './proof.ts';
import { hasReports } from './reports.ts';
import { readPayingRules } from './rules.ts';

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

function isBilled({ bill, line }: RewardProof): boolean {
  const amount = toMinorUnits(bill.amount, bill.scale);
  const signed = bill.amount_direction === 1 ? amount : -amount;
  const business = line.level > 0 ? 'referral_reward' : 'reward';
  return (
    signed === BigInt(line.amount) &&
    bill.user_id === line.user_id &&
    bill.business_id === business &&
    bill.event_at === line.hour &&
    line.status === 'paid'
  );
}

function isCalculated({ line, rules, bill, explanation }: RewardProof): boolean {
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

/** Every check with its outcome; the proof holds when all passed. */
export async function verifyRewardProof(
  text: string,
  keys: readonly RewardKey[],
): Promise<Readonly<Record<ProofCheck, boolean>>> {
  const proof = parse(text);
  const checks: Readonly<Record<ProofCheck, (proof: RewardProof) => boolean | Promise<boolean>>> = {
    // Spaces, or a member that nothing checks, would be bytes that may change unseen.
    whole: (given) => leafFormatOf(given) !== undefined && JSON.stringify(given) === text,
    signed: (given) => isSigned(keys, given.key_id, signedText(given), given.signature),
    billed: isBilled,
    calculated: isCalculated,
    ruled: async ({ rules, line }) => (await hashText(rules)) === line.rule_hash,
    reported: hasReports,
    rooted: async (given) =>
      (await computeMerkleRoot(given.tree, lineContent(given), given.line.leaf)) ===
      given.tree.root,
    sealed: ({ ledger, line, tree }) =>
      ledger.reference === `rewards ${line.batch} ${tree.size} ${tree.root}`,
  };
  const outcomes = await Promise.all(
    PROOF_CHECKS.map(
      async (name) =>
        [name, proof !== undefined && (await attempt(() => checks[name](proof)))] as const,
    ),
  );
  return Object.fromEntries(outcomes) as Record<ProofCheck, boolean>;
}
