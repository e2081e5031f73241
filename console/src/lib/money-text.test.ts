import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  amountText,
  columnDecimals,
  decimalOf,
  fromUnits,
  readableDecimals,
  readableText,
  shareOf,
  splitAmount,
  sumAmounts,
  toUnits,
  valueAt,
} from './money-text.ts';

test('an amount keeps every digit, whatever its size', () => {
  expect(amountText('1234567.89', 'EDGE')).toBe('1,234,567.89 EDGE');
  expect(amountText('0')).toBe('0.00');
  expect(amountText('-12.5')).toBe('−12.50');
  expect(amountText('999999999999999999999999999999.000000000000000001')).toBe(
    '999,999,999,999,999,999,999,999,999,999.000000000000000001',
  );
  expect(splitAmount('1.123456789')).toEqual({ sign: '', whole: '1', decimals: '123456789' });
  expect(splitAmount('5', { plus: true })?.sign).toBe('+');
  expect(splitAmount('0.00', { plus: true })?.sign).toBe('');
  expect(splitAmount('1e5')).toBeUndefined();
});

test('as text, a readable amount is cut and the exact one is not', () => {
  expect(readableText('-1234.5678', 'EDGE')).toBe('−1,234.56 EDGE');
  expect(readableText('0.00000123')).toBe('0.0000012');
  expect(readableText('12.5', 'EDGE')).toBe(amountText('12.5', 'EDGE'));
  expect(readableText('1e5', 'EDGE')).toBe('1e5 EDGE');
});

test.each([
  ['18.489038952573333329', '18.48'],
  ['1.999999999999999999', '1.99'],
  ['-1.999', '−1.99'],
  ['0.999999999999999999', '0.9999'],
  ['0.5', '0.50'],
  ['0.00123456', '0.0012'],
  ['0.000000123456', '0.00000012'],
  ['0.00005', '0.00005'],
  ['-0.000000000000000001', '−0.000000000000000001'],
  ['0', '0.00'],
  ['1234567.5', '1,234,567.50'],
])('%s is readable as %s: cut, never rounded up, never zero unless it is', (exact, readable) => {
  const parts = splitAmount(exact);
  const sign = parts?.sign === '-' ? '−' : '';
  expect(parts && `${sign}${parts.whole}.${readableDecimals(parts)}`).toBe(readable);
});

test.each([
  ['0.5', '5000'],
  ['0.123456', '1234'],
  ['-0.07', '0700'],
  ['0.000000123456', '00000012'],
  ['0', '00'],
  ['12.5', '50'],
])('the decimals of %s in a column are %s', (exact, decimals) => {
  const parts = splitAmount(exact);
  expect(parts && columnDecimals(parts)).toBe(decimals);
});

test('sums are exact', () => {
  expect(sumAmounts(['0.1', '0.2'])).toBe('0.3');
  expect(sumAmounts(['-0.000000000000000001', '1'])).toBe('0.999999999999999999');
  const units = fc.bigInt({ min: -(10n ** 48n), max: 10n ** 48n });
  fc.assert(
    fc.property(fc.array(units), (list) => {
      expect(toUnits(sumAmounts(list.map(fromUnits)))).toBe(
        list.reduce((sum, unit) => sum + unit, 0n),
      );
    }),
    { seed: 7 },
  );
});

test('a share is at least 0 and at most the length of its bar', () => {
  expect(shareOf(1n, 4n)).toBe(0.25);
  expect(shareOf(-1n, 4n)).toBe(0);
  expect(shareOf(1n, 0n)).toBe(0);
});

test('a quantity of another scale is exact', () => {
  expect(decimalOf(1_000_000_001n, 9)).toBe('1.000000001');
  expect(decimalOf(-5n, 3)).toBe('-0.005');
});

test.each([
  ['132.5', '0.1825', '24.18'],
  ['-132.5', '0.1825', '-24.18'],
  ['0.000000000000000001', '0.1825', '0.00'],
  ['1000000', '0.000000000000000000000000000001', '0.00'],
  ['2000000', '0.000000123456', '0.24'],
  ['1', '0.00999', '0.0099'],
  ['1', '0.01', '0.01'],
  ['999999999999999999.999999999999999999', '2', '1999999999999999999.99'],
  ['1', '123456', '123456.00'],
  ['5', 'none', '0'],
])('%s at a price of %s is worth about %s', (amount, price, value) => {
  expect(valueAt(amount, price)).toBe(value);
});
