import type { ServerClock } from '@edge-account/sdk';
import { beforeEach, expect, test, vi } from 'vitest';
import { createServerClock } from './server-clock.ts';

let clock: ServerClock;
const NOON_MS = Date.parse('2026-11-20T12:00:00Z');
const noonAnd = (seconds: number): string => new Date(NOON_MS + seconds * 1000).toUTCString();

function learn(date: string | null): void {
  clock.learn(new Response(null, date === null ? {} : { headers: { date } }));
}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T14:00:00Z') });
  clock = createServerClock();
  return () => vi.useRealTimers();
});

test('the time of a response continues independently of the device clock', () => {
  learn(noonAnd(0));
  vi.advanceTimersByTime(90_000);
  vi.setSystemTime(0);
  expect(clock.now_ms()).toBe(NOON_MS + 90_000);
  expect(new Date(clock.now_ms()).toISOString()).toBe('2026-11-20T12:01:30.000Z');
});

test('a rounded time does not set the clock back; a changed server clock does', () => {
  learn(noonAnd(10));
  learn(noonAnd(9));
  expect(clock.now_ms()).toBe(NOON_MS + 10_000);
  learn(noonAnd(11));
  expect(clock.now_ms()).toBe(NOON_MS + 11_000);
  learn(noonAnd(-600));
  expect(clock.now_ms()).toBe(NOON_MS - 600_000);
});

test('the device clock is used until a response brings the time', () => {
  learn(null);
  learn('tomorrow');
  expect(clock.now_ms()).toBe(Date.now());
});
