import { expect, test } from 'vitest';
import { BUSINESS_IDS, readBillFilter } from './bill-filter.ts';

const NOTHING = {
  currency: undefined,
  amountDirection: undefined,
  businessId: undefined,
  beginTime: undefined,
  endTime: undefined,
};

test('an address without parameters shows every bill', () => {
  expect(readBillFilter({})).toEqual(NOTHING);
});

test('every parameter of the address is read', () => {
  const search = {
    currency: 'EDGE',
    amountDirection: '2',
    businessId: 'referral_reward',
    beginTime: '2026-11-01',
    endTime: '2026-11-01',
  };
  expect(readBillFilter({ ...search, page: '3' })).toEqual(search);
  for (const businessId of BUSINESS_IDS)
    expect(readBillFilter({ businessId })).toEqual({ ...NOTHING, businessId });
});

test.each([
  ['currency', ''],
  ['currency', 'C'.repeat(33)],
  ['currency', 7],
  ['amountDirection', '3'],
  ['amountDirection', 1],
  ['businessId', 'gift'],
  ['beginTime', '2026-02-30'],
  ['beginTime', '1.11.2026'],
  ['endTime', ['2026-11-01']],
])('an invalid %s, %j, counts as absent', (name, given) => {
  expect(readBillFilter({ [name]: given })).toEqual(NOTHING);
});

test('an end before the beginning counts as absent, and the beginning stays', () => {
  expect(readBillFilter({ beginTime: '2026-11-02', endTime: '2026-11-01' })).toEqual({
    ...NOTHING,
    beginTime: '2026-11-02',
  });
});
