import { expect, test } from 'vitest';
import { describeMalformed, REFUSAL_REASONS } from './refusal-reasons.ts';

test('a malformed report is described by its invalid field', () => {
  const problem = 'bytes_up must be integer: Bytes from the device';
  const message = describeMalformed('bytes_up', problem);
  expect(message).toEqual({ code: 'malformed_bytes_up', values: { problem } });
  expect(REFUSAL_REASONS.format(message)).toBe(problem);
});

test.each(['the item', 'toString', undefined])('other fields have one code: %s', (field) => {
  expect(describeMalformed(field, 'the item holds NUL').code).toBe('malformed');
});

test('the stored part of a description can be displayed', () => {
  const { values } = describeMalformed('to', `\u202e${'x'.repeat(1000)}`);
  expect(values.problem).toBe(`\ufffd${'x'.repeat(299)}`);
});
