import { expect, test } from 'vitest';
import { prefersCsv } from './content-negotiation.ts';

test.each([
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['text/csv', true],
  ['TEXT/CSV; charset=utf-8', true],
  ['text/csv;q=0', false],
  ['application/json;q=0.1,text/csv', true],
  ['text/csv;q=0.5, application/json', false],
  ['text/csv, */*;q=0.1', true],
  ['application/xml', false],
])('Accept: %s', (accept, isCsv) => {
  expect(prefersCsv({ headers: accept === undefined ? {} : { accept } })).toBe(isCsv);
});
