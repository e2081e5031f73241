import { expect, test } from 'vitest';
import { catalogueOf } from '../../../test/support/catalogues.ts';
import { createTranslate } from '../../i18n/translate.ts';
import { dayWords } from './day-words.ts';

const english = createTranslate(catalogueOf('en'), 'en', 'common');
const chinese = createTranslate(catalogueOf('zh'), 'zh', 'common');
const words = { unit: 'EDGE', textOf: (name: string) => name.toLowerCase() };
const parts = [
  { name: 'UPTIME', amount: '1234.000000000000000001' },
  { name: 'PENALTY', amount: '-34' },
];
const day = { date: '2026-11-24', amount: '1200.000000000000000001', parts };

test('a day has its exact sum and each of its parts in words', () => {
  expect(dayWords(english, day, words, { name: '24 Nov 2026', incomplete: undefined })).toBe(
    '24 Nov 2026: 1,200.000000000000000001 EDGE, ' +
      'uptime: 1,234.000000000000000001, penalty: −34.00',
  );
});

test('today is not over, and a single part is its sum', () => {
  const one = { ...day, amount: '5', parts: [{ name: 'UPTIME', amount: '5' }] };
  expect(dayWords(english, one, words, { name: '29 Nov 2026', incomplete: 'so far' })).toBe(
    '29 Nov 2026: 5.00 EDGE, so far',
  );
});

test('Chinese has its own punctuation', () => {
  expect(dayWords(chinese, day, words, { name: '2026年11月24日', incomplete: undefined })).toBe(
    '2026年11月24日：1,200.000000000000000001 EDGE，' +
      'uptime：1,234.000000000000000001，penalty：−34.00',
  );
});
