import { expect, test } from 'vitest';
import { loadCatalogues } from '../../../test/support/catalogues.ts';
import { LANGUAGES as OFFERED } from '../languages.ts';
import { createTranslate } from '../translate.ts';
import { LANGUAGES } from './languages.ts';
import { lengthen, turnAround } from './pseudo-texts.ts';

test('users are offered no pseudo-language', () => {
  expect(Object.keys(LANGUAGES)).toEqual([...Object.keys(OFFERED), 'en-XA', 'ar-XB']);
});

test('a lengthened text has accents, longer words, brackets and its values', () => {
  expect(lengthen('Remove {{name}}?')).toBe('[Réémöövéé {{name}}?]');
  const text = 'Its connection closes and its tokens stop working at once. Earnings stay.';
  expect(lengthen(text).length / text.length).toBeGreaterThan(1.3);
});

test('a text that is turned around leaves the direction of its values to them', () => {
  expect(turnAround('Remove {{name}}?')).toBe(
    '[\u202eRemove \u202c\u2068{{name}}\u2069\u202e?\u202c]',
  );
});

test('each number chooses the plural form that the language has for it', async () => {
  const catalogue = (await loadCatalogues(LANGUAGES)).get('ar-XB') ?? {};
  const t = createTranslate(catalogue, 'ar-XB', 'devices');
  const formOf = (count: number) =>
    /zero|two|few|many|device\b/.exec(t('found', { count }))?.[0] ?? 'other';
  expect([0, 1, 2, 3, 10, 11, 99, 100, 103].map(formOf)).toEqual([
    ...['zero', 'device', 'two', 'few', 'few', 'many', 'many', 'other', 'few'],
  ]);
});
