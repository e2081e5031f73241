import { expect, test } from 'vitest';
import { createServerClock } from './server-clock.ts';

test('the clock learns large offsets from responses and ignores small ones', () => {
  const clock = createServerClock();
  clock.learn(
    new Response(null, { headers: { date: new Date(Date.now() - 3_600_000).toUTCString() } }),
  );
  expect(Math.abs(clock.now_ms() - (Date.now() - 3_600_000))).toBeLessThan(2000);
  clock.learn(new Response(null, { headers: { date: new Date().toUTCString() } }));
  expect(Math.abs(clock.now_ms() - Date.now())).toBeLessThan(50);
  clock.learn(new Response(null));
  expect(Math.abs(clock.now_ms() - Date.now())).toBeLessThan(50);
});
