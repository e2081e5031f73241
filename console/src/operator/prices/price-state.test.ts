import { expect, test } from 'vitest';
import { feedStateOf, readSource } from './price-state.ts';
import type { PriceFeed } from './queries.ts';

const NOW_MS = Date.parse('2026-11-10T12:00:00Z');
const feed: PriceFeed = {
  name: 'edge',
  url: 'https://prices.example/edge',
  pointer: '/last',
  currency: 'EDGE',
  quote_currency: 'USDT',
  every_s: 60,
};
const at = (seconds: number): string => new Date(NOW_MS - seconds * 1000).toISOString();

test.each([
  [{}, 'waits'],
  [{ last_success_at: at(200) }, 'runs'],
  [{ last_success_at: at(300) }, 'late'],
  [{ last_success_at: at(10), last_error: 'timeout' }, 'fails'],
] as const)('a feed with %j: %s', (change, state) => {
  expect(feedStateOf({ ...feed, ...change }, NOW_MS)).toBe(state);
});

test('a source is a feed, an application, or what it says', () => {
  expect(readSource('feed:edge-usdt')).toEqual({ kind: 'feed', name: 'edge-usdt' });
  expect(readSource('operator:edge-console')).toEqual({ kind: 'client', name: 'edge-console' });
  expect(readSource('identity')).toEqual({ kind: 'other', name: 'identity' });
});
