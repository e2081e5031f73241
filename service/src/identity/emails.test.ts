import { expect, test } from 'vitest';
import { isEmail, maskEmail, readEmail } from './emails.ts';

test.each([
  'a@b.co',
  'ada.lovelace+x@example.test',
  "o'neil@sub.example.com",
  `${'a'.repeat(64)}@${'b'.repeat(63)}.com`,
])('takes %s', (text) => {
  expect(isEmail(text)).toBe(true);
});

test.each([
  '',
  '@',
  'a@',
  '@b.co',
  'a@b',
  'a..b@c.de',
  '.a@b.co',
  'a b@c.de',
  'a@b..co',
  'a@-b.co',
  'a@b-.co',
  'a@1.2.3.4',
  'a@b.co\r\nBcc: x@y.zz',
  'a@b.co,x@y.zz',
  '"a"@b.co',
  'ä@b.co',
  'a@bé.co',
  `${'a'.repeat(65)}@b.co`,
  `${'a'.repeat(60)}@${'b.'.repeat(100)}co`,
])('refuses %j', (text) => {
  expect(isEmail(text)).toBe(false);
  expect(() => readEmail(text)).toThrow('email');
});

test('masks all but the first character before the @', () => {
  expect(maskEmail('ada@example.test')).toBe('a***@example.test');
  expect(maskEmail('a@example.test')).toBe('a***@example.test');
});
