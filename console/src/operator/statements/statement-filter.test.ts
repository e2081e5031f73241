import { expect, test } from 'vitest';
import { readStatementFilter } from './statement-filter.ts';

test('what has another form is left out', () => {
  expect(
    readStatementFilter({
      house: 'h'.repeat(33),
      currency: 7,
      by: 'hour',
      page: '0',
      beginTime: '2026-02-30',
    }),
  ).toEqual({});
  expect(readStatementFilter({ page: '501' })).toEqual({});
  expect(readStatementFilter({ page: '1' })).toEqual({});
});

test('an account, its days and a page are kept', () => {
  const kept = { house: 'fees', currency: 'EDGE', by: 'day', page: '500' };
  const days = { beginTime: '2026-11-01', endTime: '2026-11-02' };
  expect(readStatementFilter({ ...kept, ...days })).toEqual({ ...kept, ...days });
});
