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
  for (const [language, { reasons, ...texts }] of LANGUAGES) {
    const withPlace = Object.entries(texts).filter(([, text]) => text.includes('{{reason}}'));
    expect(
      withPlace.map(([name]) => name),
      language,
    ).toEqual(['stopped', 'waiting', 'signedOutHere']);
    // They stand in a sentence that ends with its own full stop.
    for (const reason of Object.values(reasons))
      expect(reason, language).toMatch(/^[^{}]*[^{}.。]$/);
  }
});

test('a reason is taken as it is', () => {
  expect(fillIn('Stopped: {{reason}}.', "$& costs $'")).toBe("Stopped: $& costs $'.");
});
