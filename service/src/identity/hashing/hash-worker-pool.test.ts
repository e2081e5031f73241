import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { hash } from '@node-rs/argon2';
import { expect, test } from 'vitest';
import { createHashThreads } from './hash-worker-pool.ts';

const CHEAP = { memoryCost: 64, timeCost: 1, parallelism: 1 };

/** The niceness of the threads of this process. */
function niceThreads(above: number): number {
  return readdirSync('/proc/self/task').filter((thread) => getPriority(Number(thread)) > above)
    .length;
}

test('hashes and verifies more jobs at a time than there are threads', async () => {
  const threads = createHashThreads(2);
  const stored = await Promise.all(
    Array.from({ length: 12 }, (_, i) => threads.hash(`password ${i}`, CHEAP)),
  );
  expect(stored.every((text) => text.startsWith('$argon2id$v=19$m=64,t=1,p=1$'))).toBe(true);
  expect(await Promise.all(stored.map((text, i) => threads.verify(text, `password ${i}`)))).toEqual(
    stored.map(() => true),
  );
  expect(await threads.verify(await hash('elsewhere', CHEAP), 'other')).toBe(false);
});

test('a job that fails does not affect others', async () => {
  const threads = createHashThreads(1);
  await expect(threads.verify('no hash at all', 'x')).rejects.toThrow();
  expect(await threads.verify(await threads.hash('x', CHEAP), 'x')).toBe(true);
});

test('a job is refused as unavailable while hundreds wait', async () => {
  const threads = createHashThreads(1);
  const answers = await Promise.allSettled(
    Array.from({ length: 260 }, () => threads.hash('x', CHEAP)),
  );
  const refused = answers.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(3);
  expect(refused[0]).toMatchObject({ reason: { code: 'unavailable' } });
});

if (process.platform !== 'linux') console.log('skipped: thread priorities exist on Linux only');
test.runIf(process.platform === 'linux')(
  'the threads go after the event loop, whose own priority stays',
  async () => {
    const before = getPriority();
    const nice = niceThreads(before);
    await createHashThreads(1).hash('x', CHEAP);
    expect(getPriority()).toBe(before);
    expect(niceThreads(before) - nice).toBe(1);
  },
);
