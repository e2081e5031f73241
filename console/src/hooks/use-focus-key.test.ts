import { expect, test } from 'vitest';
import { leadsToField } from './use-focus-key.ts';

const PRESS = {
  key: '/',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  defaultPrevented: false,
};

test('the key leads to the field from wherever nothing is written', () => {
  expect(leadsToField(PRESS, '/', false)).toBe(true);
  expect(leadsToField(PRESS, '/', true)).toBe(false);
});

test.each([
  { key: '7' },
  { ctrlKey: true },
  { metaKey: true },
  { altKey: true },
  { isComposing: true },
  { defaultPrevented: true },
])('a press with %o leads nowhere', (other) => {
  expect(leadsToField({ ...PRESS, ...other }, '/', false)).toBe(false);
});
