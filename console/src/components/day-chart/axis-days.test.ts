import { expect, test } from 'vitest';
import { labelDays } from './axis-days.ts';

const shownIn = (days: number, rooms: readonly string[]): number[] =>
  labelDays(days)
    .filter(({ room }) => rooms.includes(room))
    .map(({ day }) => day);

test.each([
  [1, [0], [0], [0]],
  [2, [0, 1], [0, 1], [0, 1]],
  [7, [0, 6], [0, 2, 4, 6], [0, 1, 2, 3, 4, 5, 6]],
  [30, [0, 29], [0, 10, 19, 29], [0, 5, 10, 15, 19, 24, 29]],
  [90, [0, 89], [0, 30, 59, 89], [0, 15, 30, 45, 59, 74, 89]],
])('%i days are labelled from the first to the last', (days, little, some, much) => {
  expect(shownIn(days, ['any'])).toEqual(little);
  expect(shownIn(days, ['any', 'some', 'some-only'])).toEqual(some);
  expect(shownIn(days, ['any', 'some', 'much'])).toEqual(much);
});
