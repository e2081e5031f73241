import { expect, test } from 'vitest';
import { createManualClock } from '../lib/clock.ts';
import { createBeatLimit } from './heartbeat-rate-limit.ts';

test('a device may beat so often in an interval; others, and the next interval, are not concerned', () => {
  const clock = createManualClock('2026-11-20T05:00:00Z');
  const take = createBeatLimit({ clock, heartbeatInterval_s: 30, messagesPerSecond: 2 });
  for (let i = 0; i < 60; i++) take(1);
  clock.advance(10_500);
  const headers = {
    ratelimit: '"heartbeat";r=0;t=20',
    'ratelimit-policy': '"heartbeat";q=60;w=30',
  };
  expect(() => take(1)).toThrow(
    expect.objectContaining({
      code: 'rate_limited',
      details: expect.objectContaining({ retryAfter_s: 20, headers }),
    }),
  );
  for (let device = 2; device < 2000; device++) take(device);
  clock.advance(19_500);
  take(1);
});

test('a clock that is set back locks nobody out', () => {
  const clock = createManualClock('2026-11-20T05:00:00Z');
  const take = createBeatLimit({ clock, heartbeatInterval_s: 30, messagesPerSecond: 1 });
  for (let i = 0; i < 30; i++) take(1);
  expect(() => take(1)).toThrow();
  clock.set('2026-11-20T04:00:00Z');
  take(1);
});
