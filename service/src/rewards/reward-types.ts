/** Reward types, and the transaction type that each is posted as. */
import type { Db } from '../db/index.ts';
import { readEarningTotals } from '../ledger/index.ts';
import { fieldError } from '../lib/failures.ts';

/** Transaction types by built-in reward type. */
const BUSINESS_IDS: ReadonlyMap<string, string> = new Map([
  ['UPTIME', 'reward'],
  ['TRAFFIC', 'reward'],
  ['TASK', 'reward'],
  ['REFERRAL', 'referral_reward'],
  ['BONUS', 'reward'],
  ['PENALTY', 'reward'],
  ['ADJUSTMENT', 'reward'],
]);

/** Built-in reward types. Rewards of operators may have others. */
export const REWARD_TYPES: readonly string[] = [...BUSINESS_IDS.keys()];

/** The transaction type that a reward is posted as, by operators and by settlement. */
export function businessOfReward(rewardType: string): string {
  return BUSINESS_IDS.get(rewardType) ?? 'reward';
}

/** Refuses a filter by a type that is not built in and that the user never earned. */
export async function checkRewardType(
  db: Db,
  userId: number,
  rewardType: string | undefined,
): Promise<void> {
  if (rewardType === undefined || REWARD_TYPES.includes(rewardType)) return;
  const known = new Set([
    ...REWARD_TYPES,
    ...(await readEarningTotals(db, userId)).map((total) => total.rewardType),
  ]);
  if (!known.has(rewardType))
    throw fieldError('rewardType', 'unknown', `is none of: ${[...known].join(', ')}`);
}
