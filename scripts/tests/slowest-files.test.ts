import { expect, test } from 'vitest';
import { findFailures } from '../repeat-tests.ts';
import { mergeDurations } from './slowest-files.ts';

test('new durations replace old ones, and deleted files are removed', () => {
  const merged = mergeDurations(
    { 'b.test.ts': 2, 'gone.test.ts': 9, 'a.test.ts': 1 },
    { 'b.test.ts': 3 },
    (path) => path !== 'gone.test.ts',
  );
  expect(Object.entries(merged)).toEqual([
    ['a.test.ts', 1],
    ['b.test.ts', 3],
  ]);
});

test('a repeated run lists each failed test and each file that could not run', () => {
  const passed = { fullName: 'passes', status: 'passed' };
  const testResults = [
    {
      name: 'a.test.ts',
      message: '',
      assertionResults: [passed, { fullName: 'fails', status: 'failed' }],
    },
    { name: 'b.test.ts', message: 'cannot be imported', assertionResults: [] },
    { name: 'c.test.ts', message: '', assertionResults: [passed] },
  ];
  expect(findFailures({ testResults })).toEqual([
    'a.test.ts > fails',
    'b.test.ts: cannot be imported',
  ]);
});
