import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Failure, type FieldFailure } from './failures.ts';
import {
  AMOUNT_MAX,
  divideHalfEven,
  formatAmount,
  MAX_MINOR,
  parseAmount,
  parseRounded,
  readableAmount,
} from './money.ts';

function refusalOf(action: () => unknown): FieldFailure | undefined {
  try {
    action();
  } catch (error) {
    if (error instanceof Failure) return error.details.fields?.[0];
    throw error;
  }
  return undefined;
}

const codeOf = (action: () => unknown): string | undefined => refusalOf(action)?.code;

test('every amount survives printing and reading, at every scale', () => {
  const minor = fc.bigInt({ min: -MAX_MINOR, max: MAX_MINOR });
  fc.assert(
    fc.property(
      minor,
      fc.integer({ min: 18, max: 30 }),
      (amount, scale) => parseAmount(formatAmount(amount, scale), scale) === amount,
    ),
    { seed: 1 },
  );
});

test('prints the shortest plain decimal', () => {
  expect(formatAmount(1_250_000n, 6)).toBe('1.25');
  expect(formatAmount(-5n, 18)).toBe('-0.000000000000000005');
  expect(formatAmount(0n, 6)).toBe('0');
  expect(formatAmount('-1250000', 6)).toBe('-1.25');
  expect(formatAmount('100', 0)).toBe('100');
  expect(formatAmount(10n ** 48n, 18)).toBe(`1${'0'.repeat(30)}`);
});

test.each([
  ['18.489038952573333329', '18.48'],
  ['1.999999999999999999', '1.99'],
  ['1234567.000000000000000001', '1234567'],
  ['0.123456789012345678', '0.1234'],
  ['0.000123456789012345', '0.0001'],
  ['0.000012345678901234', '0.000012'],
  ['0.000000000000000001', '0.000000000000000001'],
  ['0.000000000000000000', '0'],
  ['-18.489038952573333329', '-18.48'],
  ['12.50', '12.5'],
  ['100', '100'],
  ['1.5e20', '1.5e20'],
  ['', ''],
])('people read %j as %j', (text, readable) => {
  expect(readableAmount(text)).toBe(readable);
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
  [`1.${'1'.repeat(31)}`, 'too_many_decimals'],
  ['9'.repeat(61), 'too_large'],
])('refuses %j', (text, code) => {
  expect(codeOf(() => parseAmount(text, 6))).toBe(code);
});

test('zeros count as decimals; an amount beyond numeric(78,0) is refused', () => {
  expect(parseAmount('1.100000', 6)).toBe(1_100_000n);
  expect(codeOf(() => parseAmount('1.1000000', 6))).toBe('too_many_decimals');
  expect(codeOf(() => parseAmount('1.0', 0))).toBe('too_many_decimals');
  expect(codeOf(() => parseAmount('9'.repeat(60), 30))).toBe('too_large');
  expect(parseAmount(`${'9'.repeat(48)}.${'9'.repeat(30)}`, 30)).toBe(MAX_MINOR);
});

test('a refusal names the field, and says what the field must be', () => {
  const decimal = 'must be a plain decimal number without exponent';
  const cases = [
    [() => parseAmount('x', 6), 'amount', 'not_a_decimal', decimal],
    [() => parseAmount('1.1', 0, 'fee'), 'fee', 'too_many_decimals', 'has more than 0 decimals'],
    [() => parseAmount('9'.repeat(61), 6, 'fee'), 'fee', 'too_large', 'is too large'],
    [() => parseRounded('x', 6), 'amount', 'not_a_number', 'must be a decimal number'],
    [() => parseRounded('1e99', 6, 'price'), 'price', 'too_large', 'is too large'],
  ] as const;
  for (const [action, field, code, message] of cases)
    expect(refusalOf(action)).toEqual({ field, code, message });
});

test('half to even', () => {
  expect([5n, 15n, 25n, -5n, -15n, 14n, 16n].map((n) => divideHalfEven(n, 10n))).toEqual([
    0n,
    2n,
    2n,
    0n,
    -2n,
    1n,
    2n,
  ]);
  for (const denominator of [0n, -1n])
    expect(() => divideHalfEven(1n, denominator)).toThrow('the denominator must be positive');
});

test.each([
  ['8.02e-06', 8_020_000_000_000n],
  ['8.02E-6', 8_020_000_000_000n],
  ['1e3', 10n ** 21n],
  ['1e+3', 10n ** 21n],
  ['-1.5', -15n * 10n ** 17n],
  ['0e999999999999999999999', 0n],
  ['1e-999999999999999999999', 0n],
  ['5e-19', 0n],
  ['5.0000000000000000000000000000000000001e-19', 1n],
  ['1.5e-18', 2n],
  ['2.5e-18', 2n],
  ['-2.6e-18', -3n],
  ['9007199254740993.1', 90_071_992_547_409_931n * 10n ** 17n],
])('reads %s as a feed writes it', (text, minor) => {
  expect(parseRounded(text, 18)).toBe(minor);
});

test.each([
  ['1e60', 'too_large'],
  ['1e999999999999999999999', 'too_large'],
  ['0x10', 'not_a_number'],
  ['NaN', 'not_a_number'],
  ['1,5', 'not_a_number'],
  ['', 'not_a_number'],
])('reads no number from %j', (text, code) => {
  expect(codeOf(() => parseRounded(text, 18))).toBe(code);
});

test('a printed amount is read back without rounding', () => {
  const minor = fc.bigInt({ min: -MAX_MINOR, max: MAX_MINOR });
  fc.assert(
    fc.property(
      minor,
      fc.integer({ min: 18, max: 30 }),
      (amount, scale) => parseRounded(formatAmount(amount, scale), scale) === amount,
    ),
    { seed: 1 },
  );
});

test('a total is large enough for any number of largest amounts that can be posted', () => {
  const postingsPerSecond = 10n ** 9n;
  const secondsInAMillionYears = 10n ** 6n * 31_557_600n;
  expect(postingsPerSecond * secondsInAMillionYears * AMOUNT_MAX).toBeLessThan(MAX_MINOR);
});
