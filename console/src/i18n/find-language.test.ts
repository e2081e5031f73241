import { expect, test } from 'vitest';
import { findLanguage } from './find-language.ts';

test.each([
  [['', 'zh-TW', 'en'], 'zh'],
  [['EN-gb'], 'en'],
  [['fr', 'de-AT', 'zh'], 'zh'],
  [['en-US@posix'], 'en'],
  [['constructor', 'fr'], 'en'],
  [['zhx'], 'en'],
  [['es'], 'es-419'],
  [['es-ES', 'en'], 'es-419'],
  [['pt-BR', 'es-AR'], 'es-419'],
  [[], 'en'],
])('a reader of %j is served in %s', (tags, language) => {
  expect(findLanguage(tags)).toBe(language);
});
