import { expect, test } from 'vitest';
import { dataSizeOf } from './data-size.ts';

test.each([
  ['1710.440000001', '1.710440000001', 'TB'],
  ['1000', '1', 'TB'],
  ['999.999999999', '999.999999999', 'GB'],
  ['1', '1', 'GB'],
  ['0.999999999', '999.999999', 'MB'],
  ['0.001', '1', 'MB'],
  ['0.000999999', '999.999', 'KB'],
  ['0.000001', '1', 'KB'],
  ['0.000000512', '512', 'B'],
  ['0', '0', 'GB'],
  ['0.000000000', '0', 'GB'],
])('%s GB are %s %s', (gigabytes, value, unit) => {
  expect(dataSizeOf(gigabytes)).toEqual({ value, unit });
});
