import { expect, test } from 'vitest';
import { findLanguage } from './find-language.ts';

test.each([
  [['', 'zh-TW', 'en'], 'zh'],
  [['EN-gb'], 'en'],
  [['fr', 'de-AT', 'zh'], 'zh'],
  [['en-US@posix'], 'en'],
  [['constructor', 'fr'], 'en'],
  [['zhx'], 'en'],
  [[], 'en'],
])('a reader of %j is served in %s', (tags, language) => {
  expect(findLanguage(tags)).toBe(language);
});
