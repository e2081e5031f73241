import { describe, expect, test } from 'vitest';
import { catalogueOf, flatten, loadCatalogues } from '../../test/support/catalogues.ts';
import { LANGUAGES } from './pseudo/languages.ts';

const CATALOGUES = await loadCatalogues(LANGUAGES);
const english = flatten(catalogueOf('en'));
const PLURAL = /_(zero|one|two|few|many|other)$/;

/** The path of a text without its plural form, where it has several in English. */
function stemOf(key: string): string {
  const stem = key.replace(PLURAL, '');
  return english.has(`${stem}_one`) ? stem : key;
}

function placeholders(text: string): string[] {
  return [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? '').sort();
}

/** Forms that stand for one number, which they may write out. */
const EXACT = /_(zero|one|two)$/;

describe.each([...CATALOGUES])('%s', (language, texts) => {
  const catalogue = flatten(texts);

  test('has every text of the original in each plural form of its own, and no other', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    const wanted = [...new Set([...english.keys()].map(stemOf))].flatMap((stem) =>
      english.has(`${stem}_one`) ? pluralCategories.map((form) => `${stem}_${form}`) : [stem],
    );
    expect([...catalogue.keys()].sort()).toEqual(wanted.sort());
    for (const [key, text] of catalogue) expect(text.trim(), key).not.toBe('');
  });

  test('has the placeholders of the original', () => {
    for (const [key, text] of catalogue) {
      const stem = stemOf(key);
      const original = english.get(stem === key ? key : `${stem}_other`) ?? '';
      const expected = placeholders(original).filter(
        (name) => name !== 'count' || !EXACT.test(key) || text.includes('{{count}}'),
      );
      expect(placeholders(text), key).toEqual(expected);
    }
  });
});

const VALUE = /\{\{\w+\}\}/g;
/** A single word may be the same in two languages. */
const MORE_THAN_A_WORD = /[a-z]{3}.* .*[a-z]{3}/i;

test.each([...CATALOGUES].filter(([language]) => language !== 'en'))(
  '%s leaves no text untranslated',
  (_, texts) => {
    const catalogue = flatten(texts);
    const same = [...english]
      .filter(
        ([key, text]) =>
          catalogue.get(key) === text && MORE_THAN_A_WORD.test(text.replaceAll(VALUE, '')),
      )
      .map(([key]) => key);
    expect(same).toEqual([]);
  },
);
