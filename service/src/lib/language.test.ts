import { expect, test } from 'vitest';
import { LANGUAGES, readLanguage, textsOf } from './language.ts';

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['zh', 'zh'],
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
  ['de-DE,de;q=0.9,en;q=0.7,zh;q=0.8', 'zh'],
  ['en-GB,en;q=0.9,zh;q=0.8', 'en'],
  ['fr, de', 'en'],
  ['es-419', 'es'],
  ['pt-BR, es-MX;q=0.9, en;q=0.8', 'es'],
  ['zh;q=0, en', 'en'],
  ['zh-Hant-TW', 'zh'],
  ['*', 'en'],
  ['zhx', 'en'],
  [',;q=,zh;q=2,,', 'en'],
])('%s is answered in %s', (header, language) => {
  expect(readLanguage(header)).toBe(language);
});

/** Every text by its path; paragraphs are one text. */
function flatten(texts: object, prefix = ''): [path: string, text: string][] {
  return Object.entries(texts).flatMap(([key, value]): [string, string][] => {
    if (typeof value === 'string') return [[`${prefix}${key}`, value]];
    if (Array.isArray(value)) return [[`${prefix}${key}`, value.join('\n')]];
    return flatten(value as object, `${prefix}${key}.`);
  });
}

test.each(LANGUAGES)('%s has every text, with the placeholders of the original', (language) => {
  const placeholders = (of: typeof language) =>
    flatten(textsOf(of)).map(([path, text]) => [path, (text.match(/\{\w+\}/g) ?? []).sort()]);
  expect(placeholders(language)).toEqual(placeholders('en'));
  for (const [path, text] of flatten(textsOf(language))) expect(text.trim(), path).not.toBe('');
});

test.each(LANGUAGES.filter((language) => language !== 'en'))(
  '%s leaves no text untranslated',
  (language) => {
    const original = new Map(flatten(textsOf('en')));
    expect(
      flatten(textsOf(language))
        .filter(
          ([path, text]) =>
            text === original.get(path) && /\w/.test(text.replaceAll(/\{\w+\}/g, '')),
        )
        .map(([path]) => path),
    ).toEqual(['direction']);
  },
);
