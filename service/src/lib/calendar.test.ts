import { expect, test } from 'vitest';
import { addDays, dayRange, daysBetween, isCalendarDay, listDays, toDay } from './calendar.ts';

test('only existing days are accepted', () => {
  expect(['2026-02-28', '2024-02-29', '0001-01-01', '9999-12-31'].every(isCalendarDay)).toBe(true);
  expect(
    [
      '2026-02-29',
      '2026-04-31',
      '2026-13-01',
      '2026-00-10',
      '0000-01-01',
      '2026-1-01',
      '2026-01-01 ',
      '20260101',
      '',
      '１２３４-01-01',
    ].some(isCalendarDay),
  ).toBe(false);
});

test('ranges include both ends, in UTC', () => {
  expect(dayRange('2026-01-31', '2026-01-31', 'beginTime')).toEqual({
    from: new Date('2026-01-31T00:00:00.000Z'),
    before: new Date('2026-02-01T00:00:00.000Z'),
  });
  expect(dayRange(undefined, undefined, 'beginTime')).toEqual({});
  expect(() => dayRange('2026-02-01', '2026-01-31', 'beginTime')).toThrow(/beginTime/);
});

test('days are counted and moved across months and years', () => {
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
  expect(daysBetween('2026-01-01', '2026-12-31')).toBe(365);
  expect(listDays('2024-02-28', '2024-03-01')).toEqual(['2024-02-28', '2024-02-29', '2024-03-01']);
  expect(toDay(new Date('2026-01-01T23:59:59.999Z'))).toBe('2026-01-01');
});
