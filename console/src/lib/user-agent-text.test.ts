import { expect, test } from 'vitest';
import { isHandheld } from './user-agent-text.ts';

test.each([
  ['an iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Safari/604.1'],
  ['a phone', 'Mozilla/5.0 (Linux; Android 10; K) Chrome/131.0.0.0 Mobile Safari/537.36'],
  ['a tablet', 'Mozilla/5.0 (Android 15; Tablet; rv:132.0) Gecko/132.0 Firefox/132.0'],
])('%s is held in a hand', (_what, userAgent) => {
  expect(isHandheld(userAgent)).toBe(true);
});

test.each([
  ['a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.1 Safari/605.1.15'],
  ['a terminal', 'edge-terminal/0.1.0 (linux)'],
  ['an unknown program', ''],
])('%s is not', (_what, userAgent) => {
  expect(isHandheld(userAgent)).toBe(false);
});
