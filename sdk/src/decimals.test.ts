import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDecimals, fromMinorUnits, toMinorUnits } from './decimals.ts';

test('conversion to minor units and back is exact', () => {
  fc.assert(
    fc.property(
      fc.bigInt(-(10n ** 40n), 10n ** 40n),
      fc.integer({ min: 0, max: 30 }),
      (minor, scale) => {
        expect(toMinorUnits(fromMinorUnits(minor, scale), scale)).toBe(minor);
      },
    ),
  );
  expect(fromMinorUnits(1_250_000n, 6)).toBe('1.25');
  expect(toMinorUnits('1234567.000000000000000001', 18)).toBe(1_234_567_000_000_000_000_000_001n);
});

test('an invalid decimal, or one that does not fit, is refused', () => {
  for (const text of ['1e3', '01', '.5', '1.', '+1', '', 'NaN', '1,5'])
    expect(() => toMinorUnits(text, 6), text).toThrow(RangeError);
  expect(() => toMinorUnits('0.0000001', 6)).toThrow('more than 6 decimals');
});

test('sums are exact', () => {
  expect(addDecimals('0.1', '0.2')).toBe('0.3');
  expect(addDecimals('-1', '0.999999999999999999')).toBe('-0.000000000000000001');
  expect(addDecimals()).toBe('0');
});
