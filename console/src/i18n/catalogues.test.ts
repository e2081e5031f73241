import { expect, test } from 'vitest';
import * as enConsole from './en/console.ts';
import * as enEntry from './en/sign-in.ts';
import * as zhConsole from './zh/console.ts';
import * as zhEntry from './zh/sign-in.ts';

/** Every text by its path. */
function flatten(texts: object, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, value]): [string, string][] =>
      typeof value === 'string'
        ? [[`${prefix}${key}`, value]]
        : [...flatten(value as object, `${prefix}${key}.`)],
    ),
  );
}

function placeholders(text: string): string[] {
  return [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? '').sort();
}

const english = flatten({ ...enEntry, ...enConsole });
const chinese = flatten({ ...zhEntry, ...zhConsole });

test('both languages have the same texts, and none is empty', () => {
  expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
  for (const [key, text] of [...english, ...chinese]) expect(text.trim(), key).not.toBe('');
});

test('a translation has the placeholders of the original', () => {
  for (const [key, text] of english)
    expect(placeholders(chinese.get(key) ?? ''), key).toEqual(placeholders(text));
});

test('no text is left untranslated', () => {
  const same = [...english]
    .filter(([key, text]) => chinese.get(key) === text && /[a-z]{3}/i.test(text))
    .map(([key]) => key);
  expect(same).toEqual(['common.product']);
});

/** Characters that fit on one line of a section on a phone of 320 pixels. */
const LINE_SIGNS = 16;

test('Chinese text has a punctuation mark before a line of a phone is full', () => {
  const pieces = [...chinese].flatMap(([key, text]) =>
    (text.match(/\p{Script=Han}+[，。、；：？！）”]*/gu) ?? []).map(
      (piece) => [key, piece] as const,
    ),
  );
  expect(pieces.filter(([, piece]) => piece.length > LINE_SIGNS)).toEqual([]);
});
