import { expect, test } from 'vitest';
import { gather } from './gather.ts';

function setUp() {
  const asked: (readonly number[])[] = [];
  const find = gather<number, string>(async (keys) => {
    asked.push(keys);
    if (keys.includes(0)) throw new Error('refused');
    return new Map(keys.filter((key) => key !== 9).map((key) => [key, `name ${key}`]));
  }, 3);
  return { asked, find };
}

test('what is asked for at one moment is one request, each key once', async () => {
  const { asked, find } = setUp();
  const found = await Promise.all([1, 2, 1, 9].map(find));
  expect(found).toEqual(['name 1', 'name 2', 'name 1', undefined]);
  expect(asked).toEqual([[1, 2, 9]]);
  expect(await find(1)).toBe('name 1');
  expect(asked).toHaveLength(2);
});

test('a request takes as many keys as it may', async () => {
  const { asked, find } = setUp();
  expect(await Promise.all([1, 2, 3, 4, 5].map(find))).toHaveLength(5);
  expect(asked).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
});

test('a failure reaches all of its request, and none of the next', async () => {
  const { find } = setUp();
  const failed = await Promise.allSettled([find(0), find(1)]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await find(1)).toBe('name 1');
});
