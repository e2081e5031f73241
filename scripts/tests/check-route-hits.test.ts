import { expect, test } from 'vitest';
import { findMissedProblems, findMissedRoutes } from './check-route-hits.ts';

test('a registered route without a successful response is listed once', () => {
  const lines = ['registered GET /b', 'registered GET /a', 'registered GET /a', 'hit GET /b', ''];
  expect(findMissedRoutes(lines)).toEqual(['GET /a']);
});

test('a WebSocket route, which the hook does not see, is not listed', () => {
  expect(findMissedRoutes(['registered GET /me/devices/connect'])).toEqual([]);
});

test('a documented problem that no test has seen is listed once', () => {
  const lines = [
    ...['documented GET /a not_found', 'documented GET /a rate_limited'],
    ...['documented GET /b not_found', 'documented GET /b not_found', 'answered GET /a not_found'],
  ];
  expect(findMissedProblems(lines)).toEqual(['GET /a rate_limited', 'GET /b not_found']);
});
