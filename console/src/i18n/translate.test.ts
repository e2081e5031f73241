import { expect, test } from 'vitest';
import * as enConsole from './en/console.ts';
import * as enEntry from './en/sign-in.ts';
import { createTranslate } from './translate.ts';
import * as zhConsole from './zh/console.ts';
import * as zhEntry from './zh/sign-in.ts';

const english = createTranslate({ ...enEntry, ...enConsole }, 'en', 'common');
const chinese = createTranslate({ ...zhEntry, ...zhConsole }, 'zh', 'common');

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
