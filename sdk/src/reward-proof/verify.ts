/**
 * Checks the proof of a reward from nothing but its text and the published keys: everything in it is calculated anew,
 * apart from the query that settled. Runs in browsers and in Node.js.
 */
import { toMinorUnits } from '../decimals.ts';
import { calculate, explain } from './calculate.ts';
import { climb, hashText, isSigned, type RewardKey } from './hashing.ts';
import { lineContent, PROOF_FORMAT, type RewardProof, signedText } from './proof.ts';
import { HOUR_MS, readPayingRules } from './rules.ts';

/** No relay may report more at once. */
const SPAN_MAX_MS = 86_400_000;

export const PROOF_CHECKS = ['whole', 'signed', 'billed', 'calculated', 'ruled', 'reported', 'rooted', 'sealed'] as const;
export type ProofCheck = (typeof PROOF_CHECKS)[number];

function isBilled({ bill, line }: RewardProof): boolean {
  const amount = toMinorUnits(bill.amount, bill.scale);
  const signed = bill.amount_direction === 1 ? amount : -amount;
  const business = line.level > 0 ? 'referral_reward' : 'reward';
  return (
    signed === BigInt(line.amount) && bill.user_id === line.user_id && bill.business_id === business && bill.event_at === line.hour && line.status === 'paid'
  );
}

function isCalculated({ line, rules, bill, explanation }: RewardProof): boolean {
  const currency = { code: bill.currency, scale: bill.scale };
  const calculation = calculate(readPayingRules(rules, bill.scale), line, currency);
  if (!calculation || String(calculation.rate) !== line.rate) return false;
  return calculation.target - BigInt(line.settled_before) === BigInt(line.amount) && explain(line, calculation, currency) === explanation;
}

/** The bytes of a report that fall into one hour, when they are spread evenly over its time. */
function bytesInHour(bytes: bigint, from_ms: number, to_ms: number, hour_ms: number): bigint {
  const upTo = (at_ms: number): bigint => (bytes * BigInt(Math.min(Math.max(at_ms, from_ms), to_ms) - from_ms)) / BigInt(to_ms - from_ms);
  return upTo(hour_ms + HOUR_MS) - upTo(hour_ms);
}

function isReported({ line, reports }: RewardProof): boolean {
  if (line.reward_type !== 'TRAFFIC') return reports.length === 0;
  const hour_ms = Date.parse(line.hour);
  let sum = 0n;
  for (const { bytes_up, bytes_down, category, from, to } of reports) {
    const [from_ms, to_ms] = [Date.parse(from), Date.parse(to)];
    const span_ms = to_ms - from_ms;
    if (category !== line.part || !(span_ms > 0 && span_ms <= SPAN_MAX_MS)) return false;
    sum += bytesInHour(BigInt(bytes_up), from_ms, to_ms, hour_ms) + bytesInHour(BigInt(bytes_down), from_ms, to_ms, hour_ms);
  }
  const ids = new Set(reports.map(({ client_id, report_id }) => JSON.stringify([client_id, report_id])));
  return sum === BigInt(line.quantity) && ids.size === reports.length;
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
export async function verifyRewardProof(text: string, keys: readonly RewardKey[]): Promise<Readonly<Record<ProofCheck, boolean>>> {
  const proof = parse(text);
  const checks: Readonly<Record<ProofCheck, (proof: RewardProof) => boolean | Promise<boolean>>> = {
    // Spaces, or a member that nothing checks, would be bytes that may change unseen.
    whole: (given) => given.format === PROOF_FORMAT && JSON.stringify(given) === text,
    signed: (given) => isSigned(keys, given.key_id, signedText(given), given.signature),
    billed: isBilled,
    calculated: isCalculated,
    ruled: async ({ rules, line }) => (await hashText(rules)) === line.rule_hash,
    reported: isReported,
    rooted: async (given) => (await climb(given.tree.salt, lineContent(given), given.line.leaf, given.tree.size, given.tree.path)) === given.tree.root,
    sealed: ({ ledger, line, tree }) => ledger.reference === `rewards ${line.batch} ${tree.size} ${tree.root}`,
  };
  const outcomes = await Promise.all(PROOF_CHECKS.map(async (name) => [name, proof !== undefined && (await attempt(() => checks[name](proof)))] as const));
  return Object.fromEntries(outcomes) as Record<ProofCheck, boolean>;
}
