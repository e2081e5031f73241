import { beforeEach, expect, test, vi } from 'vitest';
import { createServiceClock, type ServiceClock } from './server-clock.ts';

let clock: ServiceClock;
const NOON_MS = Date.parse('2026-11-20T12:00:00Z');
const noonAnd = (seconds: number): string => new Date(NOON_MS + seconds * 1000).toUTCString();

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T14:00:00Z') });
  clock = createServiceClock();
  return () => vi.useRealTimers();
});

test('the time of an answer counts on, whatever becomes of the clock of the device', () => {
  clock.hear(noonAnd(0));
  vi.advanceTimersByTime(90_000);
  vi.setSystemTime(0);
  expect(clock.now_ms()).toBe(NOON_MS + 90_000);
  expect(new Date(clock.now_ms()).toISOString()).toBe('2026-11-20T12:01:30.000Z');
});

test('an answer that rounds its time down turns nothing back; a clock that was set does', () => {
  clock.hear(noonAnd(10));
  clock.hear(noonAnd(9));
  expect(clock.now_ms()).toBe(NOON_MS + 10_000);
  clock.hear(noonAnd(11));
  expect(clock.now_ms()).toBe(NOON_MS + 11_000);
  clock.hear(noonAnd(-600));
  expect(clock.now_ms()).toBe(NOON_MS - 600_000);
});

test('before any answer, and after one without a time, the clock of the device has to do', () => {
  clock.hear(null);
  clock.hear('tomorrow');
  expect(clock.now_ms()).toBe(Date.now());
});
