import { expect, test } from 'vitest';
import { createCallBatcher, splitByKeys } from './call-batcher.ts';

function openGate(): { passed: Promise<void>; open(): void } {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

test('calls that arrive while groups run share the next one, up to its size', async () => {
  const groups: number[][] = [];
  const gate = openGate();
  const batcher = createCallBatcher<number, number>({
    concurrencyMax: 1,
    sizeMax: 3,
    run: async (items) => {
      groups.push([...items]);
      await gate.passed;
      return items.map((item) => item * 10);
    },
  });
  const first = batcher.submit(1);
  await new Promise(setImmediate);
  const rest = [2, 3, 4, 5].map((item) => batcher.submit(item));
  gate.open();
  expect(await Promise.all([first, ...rest])).toEqual([10, 20, 30, 40, 50]);
  expect(groups).toEqual([[1], [2, 3, 4], [5]]);
});

test('at most the allowed number of groups run, however many calls arrive', async () => {
  let now = 0;
  let most = 0;
  const batcher = createCallBatcher<number, number>({
    concurrencyMax: 2,
    sizeMax: 2,
    run: async (items) => {
      most = Math.max(most, ++now);
      await new Promise(setImmediate);
      now -= 1;
      return items;
    },
  });
  await Promise.all(Array.from({ length: 20 }, (_, item) => batcher.submit(item)));
  expect(most).toBe(2);
});

test('a call that spoils its group fails alone', async () => {
  const batcher = createCallBatcher<number, number>({
    concurrencyMax: 1,
    sizeMax: 10,
    run: async (items) => {
      if (items.includes(2)) throw new Error('two');
      return items;
    },
  });
  const answers = await Promise.allSettled([1, 2, 3].map((item) => batcher.submit(item)));
  expect(
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : String(answer.reason))),
  ).toEqual([1, 'Error: two', 3]);
});

test('batches share the load evenly, even after they end together', async () => {
  const sizes: number[] = [];
  let gate = openGate();
  const batcher = createCallBatcher<number, number>({
    concurrencyMax: 2,
    sizeMax: 100,
    sizeMin: 3,
    run: async (items) => {
      sizes.push(items.length);
      await gate.passed;
      return items;
    },
  });
  for (let round = 0; round < 2; round++) {
    gate = openGate();
    const answers = Array.from({ length: 20 }, (_, item) => batcher.submit(item));
    await new Promise(setImmediate);
    gate.open();
    await Promise.all(answers);
  }
  await Promise.all([1, 2, 3].map((item) => batcher.submit(item)));
  expect(sizes).toEqual([10, 10, 10, 10, 3]);
});

test('a call that shares a key with a running group waits for it, others continue', async () => {
  const groups: string[][] = [];
  const first = openGate();
  const batcher = createCallBatcher<string, string>({
    concurrencyMax: 2,
    sizeMax: 3,
    keysOf: (item) => [...item].map(Number),
    run: async (items) => {
      groups.push([...items]);
      if (groups.length === 1) await first.passed;
      return items;
    },
  });
  const held = batcher.submit('12');
  await new Promise(setImmediate);
  const waiting = [batcher.submit('23'), batcher.submit('3'), batcher.submit('4')];
  await waiting[2];
  expect(groups).toEqual([['12'], ['4']]);
  first.open();
  await Promise.all([held, ...waiting]);
  expect(groups).toEqual([['12'], ['4'], ['23', '3']]);
});

test('a failed batch is split: calls that share a key stay together, others continue', async () => {
  const gate = openGate();
  const apart: string[] = [];
  const batcher = createCallBatcher<string, string>({
    concurrencyMax: 1,
    sizeMax: 10,
    keysOf: (item) => [item.charCodeAt(0)],
    run: async (items) => {
      if (items.includes('a1')) throw new Error('locked');
      return items;
    },
    runApart: async (items) => {
      apart.push(items.join());
      if (items.includes('a1')) await gate.passed;
      return items;
    },
  });
  const first = ['a1', 'b1', 'a2'].map((item) => batcher.submit(item));
  expect(await first[1]).toBe('b1');
  const later = ['a3', 'c1'].map((item) => batcher.submit(item));
  expect(await later[1]).toBe('c1');
  expect(apart.toSorted()).toEqual(['a1,a2', 'b1']);
  gate.open();
  expect(await Promise.all([...first, ...later])).toEqual(['a1', 'b1', 'a2', 'a3', 'c1']);
});

test('a shared error fails all calls that share a key, after one try', async () => {
  const tries: string[] = [];
  const batcher = createCallBatcher<string, string>({
    concurrencyMax: 1,
    sizeMax: 10,
    keysOf: (item) => [item.charCodeAt(0)],
    run: async (items) => {
      tries.push(items.join());
      if (items.some((item) => item.startsWith('a'))) throw new Error('locked');
      return items;
    },
    isSharedError: (error) => String(error).includes('locked'),
  });
  const answers = await Promise.allSettled(['a1', 'b1', 'a2'].map((item) => batcher.submit(item)));
  expect(answers.map((answer) => answer.status)).toEqual(['rejected', 'fulfilled', 'rejected']);
  expect(tries.toSorted()).toEqual(['a1,a2', 'a1,b1,a2', 'b1']);
});

test.each([
  [
    [[1], [2], [1]],
    ['0 2', '1'],
  ],
  [[[1], [2], [1, 2]], ['0 1 2']],
  [
    [[], [], [3]],
    ['0', '1', '2'],
  ],
])('calls with keys %j are split into %j', (keys, expected) => {
  const parts = splitByKeys(keys.map((own, i) => ({ keys: own, i })));
  expect(parts.map((part) => part.map(({ i }) => i).join(' ')).sort()).toEqual(expected);
});
