import { expect, test } from 'vitest';
import { readLanguage } from './language.ts';

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['zh', 'zh'],
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
  ['de-DE,de;q=0.9,en;q=0.7,zh;q=0.8', 'zh'],
  ['en-GB,en;q=0.9,zh;q=0.8', 'en'],
  ['fr, de', 'en'],
  ['zh;q=0, en', 'en'],
  ['zh-Hant-TW', 'zh'],
  ['*', 'en'],
  ['zhx', 'en'],
  [',;q=,zh;q=2,,', 'en'],
])('%s is answered in %s', (header, language) => {
  expect(readLanguage(header)).toBe(language);
});
