import type { Bill } from './queries.ts';

/** Rewards are earned at a time; deposits, withdrawals and fees happen. */
export function timeKindOf({ reward_type }: Pick<Bill, 'reward_type'>): 'earned' | 'happened' {
  return reward_type === undefined ? 'happened' : 'earned';
}
