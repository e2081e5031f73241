import { expect, test } from 'vitest';
import { findMissedRoutes } from './check-route-hits.ts';

test('a registered route without a successful response is listed once', () => {
  const lines = ['registered GET /b', 'registered GET /a', 'registered GET /a', 'hit GET /b', ''];
  expect(findMissedRoutes(lines)).toEqual(['GET /a']);
});

test('a WebSocket route, which the hook does not see, is not listed', () => {
  expect(findMissedRoutes(['registered GET /me/devices/connect'])).toEqual([]);
});
