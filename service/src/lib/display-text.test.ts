import { expect, test } from 'vitest';
import { cleanText, countGraphemes, readDisplayText } from './display-text.ts';

const LIMITS = { min: 1, max: 5, bytes_max: 100 };

test('counts user-perceived characters', () => {
  expect(countGraphemes('👩‍👩‍👧‍👦é')).toBe(2);
  expect(readDisplayText(' A\u0301b ', 'name', LIMITS)).toBe('Áb');
});

test.each([
  '',
  '   ',
  'abcdef',
  'a\u0000b',
  'a\nb',
  'a\u202eb',
  'a\u2066b',
  '\u0007',
  '\u200b\u200b',
  'a\u200bb',
  '\ufeffa',
  '\u200d\u200c',
  '\u3164',
  '\u2800 \u2800',
])('refuses %j', (text) => {
  expect(() => readDisplayText(text, 'name', LIMITS)).toThrow('name');
});

test('refuses many combining marks on one character, and accepts those of languages', () => {
  expect(() => readDisplayText(`a${'\u0300'.repeat(9)}`, 'name', LIMITS)).toThrow(
    'too many combining marks',
  );
  for (const name of [
    'می\u200cخواهم',
    'Nguyễn',
    '\u05d1\u05b0\u05bc\u0591',
    '\u0e17\u0e35\u0e48',
    '👩‍👩‍👧‍👦',
  ])
    expect(readDisplayText(name, 'name', { ...LIMITS, max: 20 })).toBe(name.normalize('NFC'));
});

test('refuses one character of a thousand marks by its bytes', () => {
  expect(() => readDisplayText(`a${'\u0301'.repeat(1000)}`, 'name', LIMITS)).toThrow('100 bytes');
});

test('cleans and truncates text that is only shown', () => {
  expect(cleanText('a\u0000b\u202ec\ud800', 10)).toBe('a\ufffdb\ufffdc\ufffd');
  expect(cleanText('😀😀😀', 2)).toBe('😀😀');
  expect(cleanText(`a${'\u0300'.repeat(50)}`, 100)).toHaveLength(9);
  expect(cleanText('Nguyễn', 100)).toBe('Nguyễn');
});
