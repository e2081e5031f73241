import { expect, test } from 'vitest';
import { REASON_CODES, REFUSAL_REASONS, readRefusalReason } from './refusal-reasons.ts';

test('a stored reason is read back into its code and values', () => {
  expect(
    readRefusalReason('report_too_late', REFUSAL_REASONS.say('too_late', { seconds: 604_800 })),
  ).toEqual({
    code: 'too_late',
    values: { seconds: '604800' },
  });
  expect(readRefusalReason('report_span', 'a sentence of before')).toBeUndefined();
});

test('a malformed report is told by the part that cannot be read', () => {
  expect(
    readRefusalReason('invalid_parameter', 'bytes_up must be integer: Bytes from the device')?.code,
  ).toBe('malformed_bytes_up');
  expect(readRefusalReason('invalid_parameter', 'from is required')?.code).toBe('malformed_from');
  expect(readRefusalReason('invalid_parameter', 'the item holds NUL')?.code).toBe('malformed');
  for (const code of ['malformed', 'malformed_from', 'too_late'])
    expect(REASON_CODES).toContain(code);
});
