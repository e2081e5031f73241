import { beforeEach, expect, test, vi } from 'vitest';

let clock: typeof import('./server-clock.ts');
const NOON_MS = Date.parse('2026-11-20T12:00:00Z');
const noonAnd = (seconds: number): string => new Date(NOON_MS + seconds * 1000).toUTCString();

beforeEach(async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-21T14:00:00Z') });
  vi.resetModules();
  clock = await import('./server-clock.ts');
  return () => vi.useRealTimers();
});

test('the time of an answer counts on, whatever becomes of the clock of the device', () => {
  clock.syncServerClock(noonAnd(0));
  vi.advanceTimersByTime(90_000);
  vi.setSystemTime(0);
  expect(clock.serviceNow_ms()).toBe(NOON_MS + 90_000);
  expect(clock.serviceNow().toISOString()).toBe('2026-11-20T12:01:30.000Z');
});

test('an answer that rounds its time down turns nothing back; a clock that was set does', () => {
  clock.syncServerClock(noonAnd(10));
  clock.syncServerClock(noonAnd(9));
  expect(clock.serviceNow_ms()).toBe(NOON_MS + 10_000);
  clock.syncServerClock(noonAnd(11));
  expect(clock.serviceNow_ms()).toBe(NOON_MS + 11_000);
  clock.syncServerClock(noonAnd(-600));
  expect(clock.serviceNow_ms()).toBe(NOON_MS - 600_000);
});

test('before any answer, and after one without a time, the clock of the device has to do', () => {
  clock.syncServerClock(null);
  clock.syncServerClock('tomorrow');
  expect(clock.serviceNow_ms()).toBe(Date.now());
});
