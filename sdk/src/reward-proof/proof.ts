import type { paths } from '../generated/api.ts';

/** The answer of `GET /me/rewards/{bill_id}/proof`. */
export type RewardProof =
  paths['/me/rewards/{bill_id}/proof']['get']['responses'][200]['content']['application/json'];

/**
 * By the format of their leaves. Hours that were settled before reports were noted have 2 for good.
 */
export const PROOF_FORMATS = {
  2: 'edge-account reward proof 2',
  3: 'edge-account reward proof 3',
} as const;

/** Undefined for what no version of this knows. */
export function leafFormatOf({
  format,
  line,
}: Pick<RewardProof, 'format' | 'line'>): 2 | 3 | undefined {
  const hasReports = line.reports_hash !== undefined && line.referee !== undefined;
  if (format === PROOF_FORMATS[3]) return hasReports ? 3 : undefined;
  return format === PROOF_FORMATS[2] &&
    line.reports_hash === undefined &&
    line.referee === undefined
    ? 2
    : undefined;
}

/** What is signed: the document as it is sent, without its signature. */
export function signedText({
  signature: _,
  ...rest
}: Omit<RewardProof, 'signature'> & { signature?: string }): string {
  return JSON.stringify(rest);
}

/** What is hashed of a line, and of the bill that paid it. */
export function lineContent({
  format,
  line,
  bill,
}: Pick<RewardProof, 'format' | 'line' | 'bill'>): string {
  const {
    user_id,
    node_id,
    reward_type,
    level,
    part,
    status,
    quantity,
    rate,
    settled_before,
    amount,
    reason,
  } = line;
  const what = [
    user_id,
    node_id,
    reward_type,
    level,
    part,
    status,
    quantity,
    rate,
    settled_before,
    amount,
    reason,
  ];
  const leafFormat = leafFormatOf({ format, line });
  const behind = leafFormat === 3 ? [line.reports_hash, line.referee] : [];
  return JSON.stringify([
    `edge-account reward line ${leafFormat}`,
    line.batch,
    line.leaf,
    line.hour,
    line.rule_version,
    line.rule_hash,
    ...what,
    ...behind,
    bill.id,
  ]);
}
