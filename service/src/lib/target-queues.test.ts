import { expect, test } from 'vitest';
import { nextAttemptAt, TargetQueues } from './target-queues.ts';

const NOW = new Date('2026-11-27T12:00:00Z');

/** Queues of letters for receivers; `slow` answers when the test calls `answer`. */
function setUp(waiting: Readonly<Record<string, number>>) {
  const left = new Map(Object.entries(waiting));
  const sent: string[] = [];
  const errors: unknown[] = [];
  const slow = Promise.withResolvers<void>();
  const queues = new TargetQueues<string>({
    findDue: async () => [...left.keys()],
    keyOf: (name) => name,
    async sendSome(name) {
      if (name === 'slow') await slow.promise;
      if (name === 'broken') throw new Error('broken');
      sent.push(name);
      const rest = (left.get(name) ?? 1) - 1;
      if (rest > 0) left.set(name, rest);
      else left.delete(name);
      return rest > 0;
    },
    onError: (error) => errors.push(error),
  });
  return { queues, sent, errors, answer: slow.resolve };
}

test('each receiver is sent all that waits for it, and a slow one delays no other', async () => {
  const { queues, sent, answer } = setUp({ slow: 1, quick: 3 });
  await queues.kick();
  // A second round leaves a receiver that is busy to the first.
  await queues.kick();
  await expect.poll(() => sent).toEqual(['quick', 'quick', 'quick']);
  answer();
  await queues.settle();
  expect(sent).toEqual(['quick', 'quick', 'quick', 'slow']);
});

test('an error stops its receiver until the next round, and no other', async () => {
  const { queues, sent, errors } = setUp({ broken: 1, quick: 1 });
  await queues.kick();
  await queues.settle();
  expect({ sent, errors }).toEqual({ sent: ['quick'], errors: [new Error('broken')] });
  await queues.kick();
  await queues.settle();
  expect(errors).toHaveLength(2);
});

test('after the end nothing is started, and what is under way is finished', async () => {
  const { queues, sent, answer } = setUp({ slow: 2 });
  await queues.kick();
  const stopped = queues.stop();
  answer();
  await stopped;
  await queues.kick();
  expect(sent).toEqual(['slow']);
});

test('attempts after a failure are a fifth earlier to a fifth later than the wait', () => {
  const waits_s = Array.from(
    { length: 200 },
    () => (nextAttemptAt(NOW, 100).getTime() - NOW.getTime()) / 1000,
  );
  expect(Math.min(...waits_s)).toBeGreaterThanOrEqual(80);
  expect(Math.max(...waits_s)).toBeLessThanOrEqual(120);
  expect(new Set(waits_s).size).toBeGreaterThan(1);
});
