import { describe, expect, test } from 'vitest';
import { entityTagOf, isExpected, isKnown } from './entity-tags.ts';

const TAG = entityTagOf({ name: 'Acme' });
const OTHER = entityTagOf({ name: 'Other' });

test('a tag is strong, and changes with the record', () => {
  expect(TAG).toMatch(/^"[\w-]{43}"$/);
  expect(entityTagOf({ name: 'Acme' })).toBe(TAG);
  expect(OTHER).not.toBe(TAG);
});

describe('If-Match', () => {
  test.each([undefined, '*', ' * ', TAG, `${OTHER}, ${TAG}`, `W/${TAG} ,\t${TAG}`, `"a,b",${TAG}`])(
    '%s expects the record as it is',
    (header) => {
      expect(isExpected(header, TAG)).toBe(true);
    },
  );

  test.each([
    '',
    OTHER,
    `W/${TAG}`,
    `w/${OTHER}`,
    TAG.slice(1, -1),
    `"*"`,
    `*, ${OTHER}`,
    // One tag, in whose text the other stands.
    `"a,${TAG.slice(1)}`,
  ])('%s expects another one', (header) => {
    expect(isExpected(header, TAG)).toBe(false);
  });

  test('a weak tag is nowhere expected', () => {
    expect(isExpected(`W/${TAG}`, `W/${TAG}`)).toBe(false);
  });
});

describe('If-None-Match', () => {
  test.each(['*', TAG, `W/${TAG}`, `${OTHER}, W/${TAG}`])('%s has it', (header) => {
    expect(isKnown(header, TAG)).toBe(true);
    expect(isKnown(header, `W/${TAG}`)).toBe(true);
  });

  test.each([undefined, '', OTHER, `W/${OTHER}`])('%s has it not', (header) => {
    expect(isKnown(header, TAG)).toBe(false);
  });
});
