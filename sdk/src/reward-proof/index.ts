/**
 * Proofs of rewards: what they are made of, and their check. Apart from the client, so that neither
 * loads the other.
 */
export { type Calculation, calculate, explain } from './calculate.ts';
export type { RewardKey } from './hashing.ts';
export {
  type LineProof,
  PROOF_FORMATS,
  type RewardProof,
  signedText,
  toLineProofs,
} from './proof.ts';
export { PROOF_CHECKS, type ProofCheck, verifyRewardProof } from './verify.ts';
