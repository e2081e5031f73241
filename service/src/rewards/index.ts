/** The rewards door. */
export { type DryRun, dryRun } from './dry-run.ts';
export { listHeld, releaseHeld } from './held-rewards.ts';
export { listSettlements, type Settlement } from './list-settlements.ts';
export { activateRules, draftRules, findRules, listRules, nextHour, type RulesDeps, type RulesVersion, scaleOfRewards } from './manage-rules.ts';
export { createProofKey, type PublicProofKey } from './proofs/proof-key.ts';
export { type Check, verifyProof } from './proofs/verify-proof.ts';
export { REWARD_TYPES } from './reward-types.ts';
export { registerRewards } from './routes.ts';
export { RulesBody } from './rules.ts';
export { type SettleDeps, settleDue } from './settle.ts';
