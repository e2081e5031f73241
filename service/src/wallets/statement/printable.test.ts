/** The fonts have every character of the texts, and what they lack is visible. */
import { expect, test } from 'vitest';
import { LANGUAGES, textsOf } from '../../lib/language.ts';
import { loadPdfLibrary } from './load-pdf-library.ts';
import { createCoverage, createPrintable, FONTS } from './printable.ts';
import { writeMonth } from './statement-texts.ts';

const library = await loadPdfLibrary();
const printable = createPrintable(library);

const MONTHS = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month)));

test.each(FONTS)('%s has ASCII, every text and every month', (font) => {
  const has = createCoverage(library, font);
  const ascii = String.fromCharCode(...Array.from({ length: 95 }, (_, at) => 32 + at));
  const months = LANGUAGES.flatMap((language) => MONTHS.map((from) => writeMonth(from, language)));
  const texts = LANGUAGES.map((language) => JSON.stringify(textsOf(language).statement));
  const characters = new Set([ascii, '–', ...texts, ...months].join(''));
  expect([...characters].filter((character) => !has(character))).toEqual([]);
  expect(has('🌸')).toBe(false);
});

test.each([
  'Ada Lovelace-Ōē',
  'Nguyễn Thị Ánh',
  'Κωστας',
  'Юля Ёж',
  '王小明 欧阳',
  '陳龍 鄭',
  'さくら カナ',
])('%s is printed as it is', (name) => {
  expect(printable(name)).toBe(name);
  expect(printable(name.normalize('NFD'))).toBe(name);
});

test.each([
  ['Ελένη Παππά', 'Ελενη Παππα'],
  ['Ada 🌸', 'Ada [?]'],
  ['👩‍👩‍👧 Family', '[?] Family'],
  ['مرحبا', '[?]'],
  ['a🌸🌸b🌸', 'a[?]b[?]'],
  ['\u0301', '[?]'],
])('%s is printed as %s', (name, printed) => {
  expect(printable(name)).toBe(printed);
});
