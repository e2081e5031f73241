import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findRetiredWords, listCovered } from './retired-words.ts';

const ROOT = new URL('../', import.meta.url).pathname;

test('a retired word is found with its line, in any case', () => {
  const text = ['All is well.', 'Nobody waits; the client is told.'].join('\n');
  expect(findRetiredWords(text, true).map(({ line, word }) => `${line} ${word}`)).toEqual([
    '2 Nobody',
    '2 is told',
  ]);
});

test('code and quoted titles in Markdown are not the text of the page', () => {
  const line = 'the user `nobody`, and the test "leads nobody any more"';
  expect(findRetiredWords(line, true)).toEqual([]);
  expect(findRetiredWords(line, false)).toHaveLength(2);
});

test('every folder is covered', () => {
  const covered = listCovered();
  const folders = [
    ...['bench', 'console', 'docs', 'examples', 'extension', 'scripts', 'sdk', 'terminal'],
    ...readdirSync(`${ROOT}service/src`, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `service/src/${name}`),
  ];
  const isCovered = (folder: string): boolean =>
    covered.some((file) => file.startsWith(`${folder}/`) && !file.endsWith('/README.md'));
  expect(folders.filter((folder) => !isCovered(folder))).toEqual([]);
});
