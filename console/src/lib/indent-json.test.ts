import { expect, test } from 'vitest';
import { indentJson } from './indent-json.ts';

test('objects and lists are indented, as JSON.stringify does', () => {
  const value = { a: [1, { b: 'x, {y}: "z" \\' }], none: {}, list: [], yes: true, no: null };
  expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
});

test('an amount keeps every digit', () => {
  expect(indentJson('{"amount":1.000000000000000001}')).toBe(
    '{\n  "amount": 1.000000000000000001\n}',
  );
});

test('what is not JSON loses nothing but white space', () => {
  expect(indentJson('}nonsense')).toBe('\n}nonsense');
});
