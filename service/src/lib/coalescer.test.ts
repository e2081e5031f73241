import { expect, test, vi } from 'vitest';
import { createCoalescer } from './coalescer.ts';

function openGate(): { passed: Promise<void>; open(): void } {
  let open = (): void => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

test('who comes while groups are under way shares the next one, up to its size', async () => {
  const groups: number[][] = [];
  const gate = openGate();
  const coalescer = createCoalescer<number, number>({
    underWayMax: 1,
    sizeMax: 3,
    run: async (items) => {
      groups.push([...items]);
      await gate.passed;
      return items.map((item) => item * 10);
    },
  });
  const first = coalescer.submit(1);
  await new Promise(setImmediate);
  const rest = [2, 3, 4, 5].map((item) => coalescer.submit(item));
  gate.open();
  expect(await Promise.all([first, ...rest])).toEqual([10, 20, 30, 40, 50]);
  expect(groups).toEqual([[1], [2, 3, 4], [5]]);
});

test('never more groups under way than allowed, however many come at once', async () => {
  let now = 0;
  let most = 0;
  const coalescer = createCoalescer<number, number>({
    underWayMax: 2,
    sizeMax: 2,
    run: async (items) => {
      most = Math.max(most, ++now);
      await new Promise(setImmediate);
      now -= 1;
      return items;
    },
  });
  await Promise.all(Array.from({ length: 20 }, (_, item) => coalescer.submit(item)));
  expect(most).toBe(2);
});

test('one that spoils its group fails alone', async () => {
  const coalescer = createCoalescer<number, number>({
    underWayMax: 1,
    sizeMax: 10,
    run: async (items) => {
      if (items.includes(2)) throw new Error('two');
      return items;
    },
  });
  const answers = await Promise.allSettled([1, 2, 3].map((item) => coalescer.submit(item)));
  expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : String(answer.reason)))).toEqual([1, 'Error: two', 3]);
});

test('groups share what there is, and those that end together are not one group from then on', async () => {
  const sizes: number[] = [];
  let gate = openGate();
  const coalescer = createCoalescer<number, number>({
    underWayMax: 2,
    sizeMax: 100,
    shareMin: 3,
    run: async (items) => {
      sizes.push(items.length);
      await gate.passed;
      return items;
    },
  });
  for (let round = 0; round < 2; round++) {
    gate = openGate();
    const answers = Array.from({ length: 20 }, (_, item) => coalescer.submit(item));
    await new Promise(setImmediate);
    gate.open();
    await Promise.all(answers);
  }
  await Promise.all([1, 2, 3].map((item) => coalescer.submit(item)));
  expect(sizes).toEqual([10, 10, 10, 10, 3]);
});

test('who shares a key with a group under way waits for it, and lets others pass', async () => {
  const groups: string[][] = [];
  const first = openGate();
  const coalescer = createCoalescer<string, string>({
    underWayMax: 2,
    sizeMax: 3,
    keysOf: (item) => [...item].map(Number),
    run: async (items) => {
      groups.push([...items]);
      if (groups.length === 1) await first.passed;
      return items;
    },
  });
  const held = coalescer.submit('12');
  await new Promise(setImmediate);
  const waiting = [coalescer.submit('23'), coalescer.submit('3'), coalescer.submit('4')];
  await waiting[2];
  expect(groups).toEqual([['12'], ['4']]);
  first.open();
  await Promise.all([held, ...waiting]);
  expect(groups).toEqual([['12'], ['4'], ['23', '3']]);
});

test('a group that takes longer than the patience makes room for another, and keeps what it locks', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const gate = openGate();
    const begun: string[] = [];
    const coalescer = createCoalescer<string, string>({
      underWayMax: 1,
      sizeMax: 10,
      patience_ms: 250,
      keysOf: (item) => [item.charCodeAt(0)],
      run: async (items) => {
        begun.push(items.join());
        if (items.includes('a1')) await gate.passed;
        return items;
      },
    });
    const first = coalescer.submit('a1');
    await new Promise(setImmediate);
    const rest = ['a2', 'b'].map((item) => coalescer.submit(item));
    await new Promise(setImmediate);
    expect(begun).toEqual(['a1']);
    vi.advanceTimersByTime(250);
    expect(await rest[1]).toBe('b');
    expect(begun).toEqual(['a1', 'b']);
    gate.open();
    expect(await Promise.all([first, ...rest])).toEqual(['a1', 'a2', 'b']);
    expect(begun).toEqual(['a1', 'b', 'a2']);
  } finally {
    vi.useRealTimers();
  }
});
