import { expect, test } from 'vitest';
import { readScopeLines, writeScopeLines } from './scope-lines.ts';

const SCOPES = [
  { name: 'orders:read', description: 'Read your orders' },
  { name: 'orders:write', description: 'Place orders' },
];

test('what is written is read again', () => {
  expect(readScopeLines(writeScopeLines(SCOPES))).toEqual(SCOPES);
});

test('empty lines and further spaces are no part of it', () => {
  const text = '\n  orders:read   Read  your orders \r\n\norders:write Place orders\n';
  expect(readScopeLines(text)).toEqual(SCOPES);
  expect(readScopeLines('  ')).toEqual([]);
});

test('a scope without words is refused', () => {
  expect(readScopeLines('orders:read Read your orders\norders:write')).toBeUndefined();
});
