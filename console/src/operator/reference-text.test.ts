import { expect, test } from 'vitest';
import { referenceText } from './reference-text.ts';

const t = {
  find: (_: string, path: string, { id = '' }: Readonly<Record<string, string | number>> = {}) =>
    `${path} ${id}`,
};

test.each([
  ['payout:7', 'payouts.sheet 7'],
  [`rewards 174 13 ${'cf'.repeat(32)}`, 'settlements.number 174'],
  ['invoice 12', 'invoice 12'],
  [undefined, undefined],
])('the reference %s is %s', (reference, text) => {
  expect(referenceText(t, reference)).toBe(text);
});
