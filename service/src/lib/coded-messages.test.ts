import { expect, test } from 'vitest';
import { createMessages } from './coded-messages.ts';

const sentences = createMessages({
  late: 'it came {seconds} s (of {most}) too late.',
  gone: 'it is gone.',
  anything: 'it failed: {cause}',
});

test('what is said is read back', () => {
  expect(sentences.say('late', { seconds: 604_800, most: 'all' })).toBe(
    'it came 604800 s (of all) too late.',
  );
  expect(sentences.read('it came 604800 s (of all) too late.')).toEqual({
    code: 'late',
    values: { seconds: '604800', most: 'all' },
  });
  expect(sentences.read(sentences.say('gone'))).toEqual({ code: 'gone', values: {} });
  expect(sentences.read(sentences.say('anything', { cause: 'two\nlines $&' }))).toEqual({
    code: 'anything',
    values: { cause: 'two\nlines $&' },
  });
});

test.each(['', 'it is gone', 'it is gonex', 'really it is gone.', 'it failed: '])(
  'words of somebody’s own have no code: %j',
  (words) => {
    expect(sentences.read(words)).toBeUndefined();
  },
);
