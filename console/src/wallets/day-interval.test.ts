import { describe, expect, test } from 'vitest';
import { dayInterval } from './day-interval.ts';

/** The reader's days, in whatever zone this runs. */
const at = (year: number, month: number, day: number, hour = 0): string =>
  new Date(year, month - 1, day, hour).toISOString();

describe('the interval of a day', () => {
  test('is the reader’s day of the bill', () => {
    expect(dayInterval(at(2026, 11, 9, 17), {})).toBe(`${at(2026, 11, 9)}/${at(2026, 11, 10)}`);
    expect(dayInterval(at(2026, 12, 31), {})).toBe(`${at(2026, 12, 31)}/${at(2027, 1, 1)}`);
  });

  test('ends where the days of the filter end, which are in UTC', () => {
    const noon = '2026-11-09T12:00:00.000Z';
    const [from = '', before = ''] = dayInterval(noon, {
      beginTime: '2026-11-09',
      endTime: '2026-11-09',
    }).split('/');
    expect(from >= '2026-11-09T00:00:00.000Z').toBe(true);
    expect(before <= '2026-11-10T00:00:00.000Z').toBe(true);
    expect(from <= noon && noon < before).toBe(true);
  });
});
