import { expect, test } from 'vitest';
import { createFreeText, createMessages, fromColumns, toColumns } from './coded-messages.ts';

const MESSAGES = createMessages({
  late: 'it came {seconds} s (of {most}) too late.',
  gone: 'it is gone.',
  failed: 'it failed: {cause}',
});

test('a message is a code with its values as text', () => {
  expect(MESSAGES.create('late', { seconds: 604_800, most: 'all' })).toEqual({
    code: 'late',
    values: { seconds: '604800', most: 'all' },
  });
  expect(MESSAGES.create('gone')).toEqual({ code: 'gone', values: {} });
});

test('its sentence is made from its template', () => {
  const late = MESSAGES.create('late', { seconds: 604_800, most: 'all' });
  expect(MESSAGES.format(late)).toBe('it came 604800 s (of all) too late.');
  expect(MESSAGES.format(MESSAGES.create('gone'))).toBe('it is gone.');
});

test.each(['two\nlines $&', '{seconds}', '$1', ''])('a value is inserted as it is: %j', (cause) => {
  expect(MESSAGES.format(MESSAGES.create('failed', { cause }))).toBe(`it failed: ${cause}`);
});

test('free text is its own sentence, in every catalogue of messages', () => {
  expect(MESSAGES.format(createFreeText('under {review}'))).toBe('under {review}');
});

test('a code of another version of the service is shown as the code', () => {
  expect(MESSAGES.format({ code: 'too_early', values: { seconds: '5' } })).toBe('too_early');
});

test('a message is read from its columns as it was written to them', () => {
  const message = MESSAGES.create('failed', { cause: '"quoted" {a,b} \\ ü' });
  const { code, values } = toColumns(message);
  expect(fromColumns(code, JSON.parse(values ?? ''))).toEqual(message);
  expect(toColumns(undefined)).toEqual({ code: null, values: null });
  expect(fromColumns(null, null)).toBeUndefined();
});
