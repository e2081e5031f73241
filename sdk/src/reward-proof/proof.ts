import type { paths } from '../generated/api.ts';

/** The answer of `GET /me/rewards/{bill_id}/proof`. */
export type RewardProof = paths['/me/rewards/{bill_id}/proof']['get']['responses'][200]['content']['application/json'];

export const PROOF_FORMAT = 'edge-account reward proof 2';

/** What is signed: the document as it is sent, without its signature. */
export function signedText({ signature: _, ...rest }: Omit<RewardProof, 'signature'> & { signature?: string }): string {
  return JSON.stringify(rest);
}

/** What is hashed of a line, and of the bill that paid it. */
export function lineContent({ line, bill }: Pick<RewardProof, 'line' | 'bill'>): string {
  const { user_id, node_id, reward_type, level, part, status, quantity, rate, settled_before, amount, reason } = line;
  const what = [user_id, node_id, reward_type, level, part, status, quantity, rate, settled_before, amount, reason];
  return JSON.stringify(['edge-account reward line 2', line.batch, line.leaf, line.hour, line.rule_version, line.rule_hash, ...what, bill.id]);
}
