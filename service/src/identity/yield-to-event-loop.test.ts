import { pbkdf2 } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

if (process.platform !== 'linux') console.log('skipped: thread priorities exist on Linux only');
test.runIf(process.platform === 'linux')('the workers go after the event loop, whose own priority stays', async () => {
  await promisify(pbkdf2)('wake', 'the workers', 1, 32, 'sha256');
  const before = getPriority();
  const lowered = yieldToEventLoop();
  expect(getPriority()).toBe(before);
  const workers = readdirSync('/proc/self/task').filter((thread) => readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim() === 'libuv-worker');
  expect(lowered).toBe(workers.length);
  expect(lowered).toBeGreaterThan(0);
  for (const thread of workers) expect(getPriority(Number(thread))).toBe(Math.min(before + 5, 19));
});
