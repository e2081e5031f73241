import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Failure } from './failures.ts';
import { divideHalfEven, formatAmount, MAX_MINOR, parseAmount } from './money.ts';

function codeOf(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    if (error instanceof Failure) return error.details.fields?.[0]?.code;
    throw error;
  }
  return undefined;
}

test('every amount survives printing and reading, at every scale', () => {
  const minor = fc.bigInt({ min: -MAX_MINOR, max: MAX_MINOR });
  fc.assert(
    fc.property(minor, fc.integer({ min: 18, max: 30 }), (amount, scale) => parseAmount(formatAmount(amount, scale), scale) === amount),
    { seed: 1 },
  );
});

test('prints the shortest plain decimal', () => {
  expect(formatAmount(1_250_000n, 6)).toBe('1.25');
  expect(formatAmount(-5n, 18)).toBe('-0.000000000000000005');
  expect(formatAmount(0n, 6)).toBe('0');
  expect(formatAmount(10n ** 48n, 18)).toBe(`1${'0'.repeat(30)}`);
});

test.each([
  ['1e5', 'not_a_decimal'],
  ['NaN', 'not_a_decimal'],
  ['', 'not_a_decimal'],
  ['01', 'not_a_decimal'],
  ['.5', 'not_a_decimal'],
  ['1.', 'not_a_decimal'],
  ['+1', 'not_a_decimal'],
  [' 1', 'not_a_decimal'],
  ['0x10', 'not_a_decimal'],
  ['1.1234567', 'too_many_decimals'],
])('refuses %j', (text, code) => {
  expect(codeOf(() => parseAmount(text, 6))).toBe(code);
});

test('zeros count as decimals; an amount beyond numeric(78,0) is refused', () => {
  expect(parseAmount('1.100000', 6)).toBe(1_100_000n);
  expect(codeOf(() => parseAmount('1.1000000', 6))).toBe('too_many_decimals');
  expect(codeOf(() => parseAmount('1.0', 0))).toBe('too_many_decimals');
  expect(codeOf(() => parseAmount('9'.repeat(60), 30))).toBe('too_large');
});

test('half to even', () => {
  expect([5n, 15n, 25n, -5n, -15n, 14n, 16n].map((n) => divideHalfEven(n, 10n))).toEqual([0n, 2n, 2n, 0n, -2n, 1n, 2n]);
});
