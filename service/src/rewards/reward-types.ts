/** The kinds of rewards. Operators' rewards may have others. */
import type { Db } from '../db/index.ts';
import { readEarningTotals } from '../ledger/index.ts';
import { fieldError } from '../lib/failures.ts';

const REWARD_TYPES: readonly string[] = [
  'UPTIME',
  'TRAFFIC',
  'TASK',
  'REFERRAL',
  'BONUS',
  'PENALTY',
  'ADJUSTMENT',
];

/** Refuses a filter by a type that neither exists for everybody nor was ever earned by this person. */
export async function checkRewardType(
  db: Db,
  userId: number,
  asked: string | undefined,
): Promise<void> {
  if (asked === undefined || REWARD_TYPES.includes(asked)) return;
  const known = new Set([
    ...REWARD_TYPES,
    ...(await readEarningTotals(db, userId)).map(({ rewardType }) => rewardType),
  ]);
  if (!known.has(asked))
    throw fieldError('rewardType', 'unknown', `is none of: ${[...known].join(', ')}`);
}
