import { expect, test } from 'vitest';
import { includesAllWords, readDays, readOneOf, readWords } from './search-params.ts';

test('a parameter of fixed words has one of them or is absent', () => {
  expect(readOneOf('deposit', ['deposit', 'reward'])).toBe('deposit');
  for (const given of ['Deposit', '', 1, undefined, ['deposit']])
    expect(readOneOf(given, ['deposit', 'reward'])).toBeUndefined();
});

test('a parameter of free text is accepted up to a length', () => {
  expect(readWords('小明', 2)).toBe('小明');
  for (const given of ['', 'abc', 12, undefined]) expect(readWords(given, 2)).toBeUndefined();
});

test.each([
  ['2026-01-31', '2026-02-01', ['2026-01-31', '2026-02-01']],
  ['2026-02-01', '2026-02-01', ['2026-02-01', '2026-02-01']],
  ['2026-02-01', '2026-01-31', ['2026-02-01', undefined]],
  ['2026-02-30', '2026-03-01', [undefined, '2026-03-01']],
  ['20260201', 7, [undefined, undefined]],
])('from %s to %s', (first, last, days) => {
  expect(readDays(first, last)).toEqual(days);
});

test.each([
  ['', true],
  ['  ', true],
  ['CHROME', true],
  ['windows chrome', true],
  ['\uff43hrome', true],
  ['chrome debian', false],
])('words are found in whatever order and case: %j', (words, isFound) => {
  expect(includesAllWords('Chrome on Windows 11', words)).toBe(isFound);
});
