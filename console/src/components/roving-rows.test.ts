import { expect, test } from 'vitest';
import { rowAfterKey } from '../hooks/use-roving-tabindex.ts';

test('arrow keys move from row to row and stay inside the list', () => {
  const list = { total: 10_000, page: 9 };
  const led = ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End', 'a'].map((key) =>
    rowAfterKey(key, 28, list),
  );
  expect(led).toEqual([29, 27, 37, 19, 0, 9999, undefined]);
  expect(rowAfterKey('ArrowUp', 0, list)).toBe(0);
  expect(rowAfterKey('ArrowDown', 9999, list)).toBe(9999);
  expect(rowAfterKey('PageDown', 9995, list)).toBe(9999);
});
