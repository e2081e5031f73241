import { expect, test } from 'vitest';
import { catalogueOf } from '../../test/support/catalogues.ts';
import { createTranslate } from './translate.ts';

const english = createTranslate(catalogueOf('en'), 'en', 'common');
const chinese = createTranslate(catalogueOf('zh'), 'zh', 'common');

test('a text is found by its path, in each catalogue', () => {
  expect(english('tryAgain')).toBe('Try again');
  expect(english('problem.unreachable')).toContain('cannot be reached');
  expect(english('signIn:factor.verify')).toBe('Verify');
});

test('a count chooses the plural of the language', () => {
  expect([english('minutes', { count: 1 }), english('minutes', { count: 2 })]).toEqual([
    '1 minute',
    '2 minutes',
  ]);
  expect(english('minutes', { count: 10_000 })).toBe('10,000 minutes');
  expect(chinese('minutes', { count: 1 })).toContain('1');
  const spanish = createTranslate(catalogueOf('es-419'), 'es-419', 'devices');
  expect([1, 1234, 1_000_000].map((count) => spanish('found', { count }))).toEqual([
    '1 dispositivo encontrado',
    '1,234 dispositivos encontrados',
    '1,000,000 de dispositivos encontrados',
  ]);
});

test('a value that looks like a placeholder is not filled again; only texts are found', () => {
  expect(english('problem.rate_limited_for', { wait: '{{wait}}' })).toContain('{{wait}}');
  for (const path of [
    '',
    'problem',
    'problem.',
    'constructor',
    '__proto__',
    'toString.name',
    'problem.unreachable.length',
  ])
    expect(english.find('common', path), path).toBeUndefined();
});
