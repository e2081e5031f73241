/** The rewards door. */
export { activateRules, draftRules, findRules, listRules, type RulesDeps, type RulesVersion } from './manage-rules.ts';
export { REWARD_TYPES } from './reward-types.ts';
export { RulesBody } from './rules.ts';
export { type SettleDeps, settleDue } from './settle.ts';
