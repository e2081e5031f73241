import { expect, test } from 'vitest';
import type { Bill } from '../ledger/index.ts';
import { matchBill, readBillNumber } from './bill-text.ts';

const BILL: Bill = {
  ...{ id: 34, transferId: 17, currency: 'EDGE', scale: 18, direction: 1, balanceAfter: 0n },
  ...{ businessId: 'referral_reward', rewardType: 'REFERRAL', counterparty: 'user:12' },
  nodeId: null,
  ...{ reference: 'Order-7/Ä', remark: 'Café au lait', amount: 1_234_057_260_416_666_666_667n },
  ...{ eventAt: new Date(0), createdAt: new Date(0) },
};
const matches = (text: string, ...codes: string[]) => matchBill(text, new Set(codes))(BILL);

test.each([
  ...['referral', 'REWARD', 'reward referral', 'edge', 'user:12', 'order-7', 'cafe LAIT'],
  ...['order-７', 'café 1234', 'a'],
])('%s is in the bill', (text) => {
  expect(matches(text)).toBe(true);
});

test.each(['withdrawal', 'referral withdrawal', 'usdt', 'order-8', 'user:13'])(
  '%s is not in the bill',
  (text) => {
    expect(matches(text)).toBe(false);
  },
);

test.each(['1234', '1,234', '1234.0', '1234.05', '1,234.05', '+1234.05726', '01234.', '1234.0572'])(
  'the amount %s is that of the bill, as far as it was typed',
  (text) => {
    expect(matches(text)).toBe(true);
  },
);

test.each(['123', '12345', '1234.06', '1234.050', '-1234', '−1234.05', '1.234', '12,34', '.05'])(
  'the amount %s is not that of the bill',
  (text) => {
    expect(matches(text)).toBe(false);
  },
);

test('zeros at the end of decimals mean nothing', () => {
  const round = { ...BILL, amount: 12_500_000_000_000_000_000n };
  expect(matchBill('12.50', new Set())(round)).toBe(true);
  expect(matchBill('12.501', new Set())(round)).toBe(false);
});

test('codes stand for words of a language', () => {
  expect(matches('推荐奖励', 'deposit', 'REFERRAL')).toBe(true);
  expect(matches('推荐奖励', 'referral_reward')).toBe(true);
  expect(matches('Person 12', 'user:12')).toBe(true);
  expect(matches('推荐奖励', 'deposit')).toBe(false);
});

test.each([
  ['17', 17],
  [' #17 ', 17],
  ['017', undefined],
  ['17.0', undefined],
  ['1'.repeat(16), undefined],
  ['seventeen', undefined],
])('the number %s is %s', (text, number) => {
  expect(readBillNumber(text)).toBe(number);
});
