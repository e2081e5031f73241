import type { paths } from '../generated/api.ts';

/** The answer of `GET /me/rewards/{bill_id}/proof`. */
export type RewardProof =
  paths['/me/rewards/{bill_id}/proof']['get']['responses'][200]['content']['application/json'];

/** The proof of a bill that pays one line. */
export type LineProof = Extract<RewardProof, { line: unknown }>;

/**
 * 5: a bill of a day, with its lines as in 4, or as in 3 for corrections. 4: the tree is in
 * buckets, with leaves as in 3. Hours that were settled before buckets keep 3, and before reports
 * were noted 2.
 */
export const PROOF_FORMATS = {
  2: 'edge-account reward proof 2',
  3: 'edge-account reward proof 3',
  4: 'edge-account reward proof 4',
  5: 'edge-account reward proof 5',
} as const;

/** How the leaf is hashed; undefined for what no version of this knows. */
export function leafFormatOf({
  format,
  line,
  tree,
}: Pick<LineProof, 'format' | 'line' | 'tree'>): 2 | 3 | undefined {
  const hasReports = line.reports_hash !== undefined && line.referee !== undefined;
  const hasBucket = tree.bucket !== undefined;
  if (format === PROOF_FORMATS[4]) return hasReports && hasBucket ? 3 : undefined;
  if (format === PROOF_FORMATS[3]) return hasReports && !hasBucket ? 3 : undefined;
  return format === PROOF_FORMATS[2] &&
    line.reports_hash === undefined &&
    line.referee === undefined &&
    !hasBucket
    ? 2
    : undefined;
}

/** The lines of a bill, each as the proof of one that is billed alone. */
export function toLineProofs(proof: RewardProof): LineProof[] {
  if (!('lines' in proof)) return [proof];
  const { bill, lines, rules, key_id, signature } = proof;
  return lines.map((entry) => ({
    ...entry,
    format: PROOF_FORMATS[entry.tree.bucket ? 4 : 3],
    bill,
    rules: rules.find(({ version }) => version === entry.line.rule_version)?.text ?? '',
    ...{ key_id, signature },
  }));
}

/** What is signed: the document as it is sent, without its signature. */
export function signedText({
  signature: _,
  ...rest
}: { readonly signature?: string } & object): string {
  return JSON.stringify(rest);
}

/** What is hashed of a line, and of the bill that paid it. */
export function lineContent({
  format,
  line,
  tree,
  bill,
}: Pick<LineProof, 'format' | 'line' | 'tree' | 'bill'>): string {
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
  const leafFormat = leafFormatOf({ format, line, tree });
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
