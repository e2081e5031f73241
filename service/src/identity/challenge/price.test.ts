import { expect, test } from 'vitest';
import { priceOf } from './price.ts';

const calm = { hits: 1, free: 3 };
const surge = { hits: 31, free: 30 };
const noSurge = { hits: 30, free: 30 };

test('nothing is asked of what people do', () => {
  expect(priceOf({ counters: [calm], isKnownNetwork: false })).toBeUndefined();
  expect(
    priceOf({ counters: [{ hits: 3, free: 3 }], total: noSurge, isKnownNetwork: false }),
  ).toBeUndefined();
});

test('each step doubles the work, up to a bound that a person can wait for', () => {
  const priceAt = (hits: number) =>
    priceOf({ counters: [calm, { hits, free: 3 }], total: noSurge, isKnownNetwork: true });
  expect([4, 5, 6, 9, 10, 1000].map(priceAt)).toEqual([200, 400, 800, 6400, 6400, 6400]);
});

test('in a surge new networks are asked, each step costs eightfold, and few are left', () => {
  const priceAt = (hits: number, isKnownNetwork: boolean) =>
    priceOf({ counters: [{ hits, free: 3 }], total: surge, isKnownNetwork });
  expect([1, 4, 5, 6].map((hits) => priceAt(hits, false))).toEqual([
    ...[800, 6400, 51_200],
    Number.POSITIVE_INFINITY,
  ]);
  expect([1, 4, 5, 6].map((hits) => priceAt(hits, true))).toEqual([
    ...[undefined, 6400, 51_200],
    Number.POSITIVE_INFINITY,
  ]);
});
