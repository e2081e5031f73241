import { expect, test } from 'vitest';
import { fillIn, findTexts, LANGUAGES } from './index.ts';

test.each([
  [['es-MX', 'en'], 'es-MX', 'Iniciar sesión'],
  [['zh-Hant-TW'], 'zh-Hant-TW', '登录'],
  [['fr-FR', 'EN-gb'], 'EN-gb', 'Sign in'],
  [['fr'], 'en', 'Sign in'],
  [[], 'en', 'Sign in'],
])('a reader of %j reads %s', (tags, tag, signIn) => {
  expect(findTexts(tags)).toMatchObject({ tag, texts: { signIn } });
});

test('every text with a reason has a place for it in each language', () => {
  const english = LANGUAGES.get('en');
  for (const [language, texts] of LANGUAGES)
    for (const [name, text] of Object.entries(texts)) {
      const original = english?.[name as keyof typeof english] ?? '';
      expect(text.includes('{{reason}}'), `${language} ${name}`).toBe(
        original.includes('{{reason}}'),
      );
    }
});

test('a reason is taken as it is', () => {
  expect(fillIn('Stopped: {{reason}}.', "$& costs $'")).toBe("Stopped: $& costs $'.");
});
