import { expect, test } from 'vitest';
import { createManualClock } from '../lib/clock.ts';
import { HeartbeatRateLimit } from './heartbeat-rate-limit.ts';

test(
  'a device may beat so often in an interval; others, and the next interval, are not ' +
    'concerned',
  () => {
    const clock = createManualClock('2026-11-20T05:00:00Z');
    const limit = new HeartbeatRateLimit({ clock, heartbeatInterval_s: 30, messagesPerSecond: 2 });
    for (let i = 0; i < 60; i++) limit.consume(1);
    clock.advance(10_500);
    const headers = {
      ratelimit: '"heartbeat";r=0;t=20',
      'ratelimit-policy': '"heartbeat";q=60;w=30',
    };
    expect(() => limit.consume(1)).toThrow(
      expect.objectContaining({
        code: 'rate_limited',
        details: expect.objectContaining({ retryAfter_s: 20, headers }),
      }),
    );
    for (let device = 2; device < 2000; device++) limit.consume(device);
    clock.advance(19_500);
    limit.consume(1);
  },
);

test('a clock that is set back refuses no device', () => {
  const clock = createManualClock('2026-11-20T05:00:00Z');
  const limit = new HeartbeatRateLimit({ clock, heartbeatInterval_s: 30, messagesPerSecond: 1 });
  for (let i = 0; i < 30; i++) limit.consume(1);
  expect(() => limit.consume(1)).toThrow();
  clock.set('2026-11-20T04:00:00Z');
  limit.consume(1);
});
