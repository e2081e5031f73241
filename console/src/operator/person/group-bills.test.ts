import { expect, test } from 'vitest';
import type { StatementBill } from '../statements/queries.ts';
import { continueGroup, endsInGroup, groupBills, totalOf } from './group-bills.ts';

let ids = 0;
function bill(type: string, at: string, more: Partial<StatementBill> = {}): StatementBill {
  ids += 1;
  return {
    id: ids,
    transfer_id: ids,
    currency: 'EDGE',
    business_id: 'reward',
    reward_type: type,
    amount_direction: 1,
    amount: '0.000000000000000001',
    balance_after: '1',
    event_at: at,
    created_at: at,
    ...more,
  } as StatementBill;
}
/** Of one day in every zone of the machine that tests. */
const noon = (day: number, second = 0) => new Date(2026, 10, day, 12, 0, second).toISOString();
const many = (count: number, day: number) =>
  Array.from({ length: count }, (_, at) => bill('REFERRAL', noon(day, at % 60)));

test('three and more of one kind and day are one entry, fewer stand alone', () => {
  const bills = [...many(2, 9), bill('UPTIME', noon(8)), ...many(170, 8), ...many(3, 7)];
  expect(groupBills(bills).map(({ length }) => length)).toEqual([1, 1, 1, 170, 3]);
  expect(groupBills(bills).flat()).toEqual(bills);
  expect(groupBills([])).toEqual([]);
});

test('what goes out is not one with what comes in', () => {
  const out = { amount_direction: 2 } as const;
  const bills = [...many(3, 8), bill('REFERRAL', noon(8), out)];
  expect(groupBills(bills).map(({ length }) => length)).toEqual([3, 1]);
});

test('a group continues where all of the next page is of its kind and day', () => {
  expect(endsInGroup(many(3, 8))).toBe(true);
  expect(endsInGroup(many(2, 8))).toBe(false);
  expect(endsInGroup([])).toBe(false);
  expect(continueGroup(many(3, 8), many(20, 8))).toBe(true);
  expect(continueGroup(many(3, 8), [...many(19, 8), bill('UPTIME', noon(8))])).toBe(false);
  expect(continueGroup(many(3, 8), many(20, 7))).toBe(false);
  expect(continueGroup([], many(20, 7))).toBe(false);
});

test('the sum of a group is exact', () => {
  expect(totalOf(many(170, 8))).toBe('0.00000000000000017');
  const out = bill('REFERRAL', noon(8), { amount_direction: 2, amount: '2.5' });
  expect(totalOf([out, out, out])).toBe('-7.5');
});
