import { expect, test } from 'vitest';
import { countFilters, readAuditFilter, toAuditQuery } from './audit-filter.ts';

test('the address names a filter, and what it cannot name is left out', () => {
  const filter = readAuditFilter({
    ...{ operation: 'setPrice', actorKind: 'god', subjectKind: 'users', subjectId: '7' },
    ...{ beginTime: '2026-11-01', endTime: '2026-02-31', text: 'x'.repeat(256) },
  });
  expect(countFilters(filter)).toBe(4);
  expect(filter).toMatchObject({ operation: 'setPrice', subjectKind: 'users', subjectId: '7' });
  expect(countFilters(readAuditFilter({ view: 'audit' }))).toBe(0);
});

test('the last day of a filter is included', () => {
  expect(toAuditQuery({ beginTime: '2026-11-01', endTime: '2026-11-30' })).toMatchObject({
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-12-01T00:00:00.000Z',
  });
  expect(toAuditQuery({})).toMatchObject({ from: undefined, to: undefined });
});
