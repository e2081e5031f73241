import { expect, test } from 'vitest';
import { listHeldFirst, payoutIdOf } from './withdrawal-order.ts';

test('all that are held come first, then the last that ended', () => {
  const list = ['settled', 'held', 'cancelled', 'expired', 'held'].map((status, at) => ({
    id: 9 - at,
    status,
  }));
  expect(listHeldFirst(list, 2).map(({ id }) => id)).toEqual([8, 5, 9, 7]);
  expect(listHeldFirst([], 2)).toEqual([]);
});

test('the reference of a payout names it, and no other one does', () => {
  expect(payoutIdOf('payout:12')).toBe('12');
  for (const other of [undefined, '', 'payout:', 'payout:12a', 'my payout:12'])
    expect(payoutIdOf(other)).toBeUndefined();
});
