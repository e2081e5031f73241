import { expect, test } from 'vitest';
import { listMonths } from './list-months.ts';

test('months go back to the first one of the account, over the end of a year', () => {
  expect(listMonths('2025-11-30T23:59:59.999Z', '2026-02-01')).toEqual([
    '2026-02',
    '2026-01',
    '2025-12',
    '2025-11',
  ]);
  expect(listMonths(undefined, '2026-02-01')).toEqual(['2026-02']);
  expect(listMonths('2001-01-01T00:00:00.000Z', '2026-03-31').slice(-1)).toEqual(['2023-04']);
});
