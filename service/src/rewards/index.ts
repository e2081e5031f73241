/** The rewards door. */
export { createRewardArchiveJobs } from './archive/archive-jobs.ts';
export type { ArchivePlace } from './archive/find-file-problem.ts';
export { removeLines, usageRules } from './archive/remove-archived.ts';
export {
  type ArchivedSettlementReport,
  verifyArchivedSettlement,
} from './archive/verify-archive.ts';
export { closeSettlement } from './close-settlement.ts';
export { dryRun } from './dry-run.ts';
export { findFirstLine } from './find-first-line.ts';
export { countHeld, isHeldReferee, listHeld, releaseHeld } from './held-rewards.ts';
export { isDayPaid } from './is-day-paid.ts';
export { listSettlements } from './list-settlements.ts';
export {
  activateRules,
  draftRules,
  findRules,
  listRules,
  nextHour,
  type RulesDeps,
  type RulesVersion,
  replaceDraft,
  scaleOfRewards,
} from './manage-rules.ts';
export { createProofKey, type PublicProofKey } from './proofs/proof-key.ts';
export { readAccrued, readAccruedDays } from './read-accrued.ts';
export { readPaidKinds } from './read-schedule.ts';
export { REWARDS_RETENTION } from './retention.ts';
export { businessOfReward, checkRewardType, REWARD_TYPES } from './reward-types.ts';
export { registerRewards } from './routes.ts';
export { REFERRAL_LEVELS, RulesBody } from './rules-schema.ts';
export { settleDue } from './run-settlement.ts';
export {
  countSettlements,
  measureSettlementLag,
  registerSettlementMetrics,
} from './settlement-metrics.ts';
export type { RewardPeriod, SettledSince } from './settlements.ts';
export { type SettlementReport, verifySettlements } from './verify-settlements.ts';
