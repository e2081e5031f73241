/** Built-in reward types. Rewards of operators may have others. */
import type { Db } from '../db/index.ts';
import { readEarningTotals } from '../ledger/index.ts';
import { fieldError } from '../lib/failures.ts';

export const REWARD_TYPES: readonly string[] = [
  'UPTIME',
  'TRAFFIC',
  'TASK',
  'REFERRAL',
  'BONUS',
  'PENALTY',
  'ADJUSTMENT',
];

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
