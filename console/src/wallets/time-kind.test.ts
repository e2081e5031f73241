import { expect, test } from 'vitest';
import { timeKindOf } from './time-kind.ts';

test('a reward is earned', () => {
  expect(timeKindOf({ reward_type: 'UPTIME' })).toBe('earned');
  expect(timeKindOf({ reward_type: 'REFERRAL' })).toBe('earned');
});

test('a deposit, a withdrawal or a fee happens', () => {
  expect(timeKindOf({})).toBe('happened');
});
