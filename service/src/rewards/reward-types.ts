/** Reward types, and the transaction type that each is posted as. */
import type { Db } from '../db/index.ts';
import { readEarningTotals } from '../ledger/index.ts';
import { fieldError } from '../lib/failures.ts';

interface RewardTypeRow {
  /** The transaction type that it is posted as. */
  readonly businessId: string;
  /** `rules`: settlement pays it; `hand`: the form of the console offers it. */
  readonly paidBy: 'rules' | 'hand';
}

const ROWS: ReadonlyMap<string, RewardTypeRow> = new Map([
  ['UPTIME', { businessId: 'reward', paidBy: 'rules' }],
  ['TRAFFIC', { businessId: 'reward', paidBy: 'rules' }],
  ['TASK', { businessId: 'reward', paidBy: 'hand' }],
  ['REFERRAL', { businessId: 'referral_reward', paidBy: 'rules' }],
  ['BONUS', { businessId: 'reward', paidBy: 'hand' }],
  ['PENALTY', { businessId: 'reward', paidBy: 'rules' }],
  ['ADJUSTMENT', { businessId: 'reward', paidBy: 'hand' }],
]);

/** Built-in reward types. Rewards of operators may have others. */
export const REWARD_TYPES: readonly string[] = [...ROWS.keys()];

/** Those that operators pay by hand in the console. */
export const PAID_BY_HAND: readonly string[] = REWARD_TYPES.filter(
  (type) => ROWS.get(type)?.paidBy === 'hand',
);

/** The transaction type that a reward is posted as, by operators and by settlement. */
export function businessOfReward(rewardType: string): string {
  return ROWS.get(rewardType)?.businessId ?? 'reward';
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
