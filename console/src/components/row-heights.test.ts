import { expect, test } from 'vitest';
import { offsetOf, type RowHeights, rowAt, withMeasured } from './row-heights.ts';

const EVEN: RowHeights = { usual: 100, more: new Map() };

test('rows are placed below each other, and a taller row moves those after it', () => {
  const heights = withMeasured(
    EVEN,
    new Map([
      [1, 100],
      [2, 130],
    ]),
  );
  expect([0, 1, 2, 3, 10].map((index) => offsetOf(heights, index))).toEqual([
    0, 100, 200, 330, 1030,
  ]);
  expect([-5, 0, 99, 100, 299, 329, 330, 429].map((offset) => rowAt(heights, offset))).toEqual([
    0, 0, 0, 1, 2, 2, 3, 3,
  ]);
});

test('a row that shrinks to the usual height is placed like the others again', () => {
  const tall = withMeasured(
    EVEN,
    new Map([
      [0, 100],
      [2, 130],
    ]),
  );
  const after = withMeasured(tall, new Map([[2, 100]]));
  expect(after).toEqual(EVEN);
  expect(withMeasured(after, new Map([[2, 100]]))).toBe(after);
});

test('when every row is taller, the usual height grows', () => {
  const heights = withMeasured(
    EVEN,
    new Map([
      [0, 120],
      [1, 150],
    ]),
  );
  expect(heights).toEqual({ usual: 120, more: new Map([[1, 30]]) });
  expect(offsetOf(heights, 1000)).toBe(120_030);
});
