import { expect, test } from 'vitest';
import { createBackoff } from './backoff.ts';

test('waits double up to a minute, spread over their second half', () => {
  const longest = createBackoff(() => 1);
  expect(Array.from({ length: 8 }, () => longest.next())).toEqual([
    1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000,
  ]);
  const shortest = createBackoff(() => 0);
  expect([shortest.next(), shortest.next()]).toEqual([500, 1000]);
  shortest.reset();
  expect(shortest.next()).toBe(500);
});

test('a wait is never shorter than the service asked for', () => {
  expect(createBackoff(() => 0).next(30)).toBe(30_000);
});
