import { describe, expect, it } from 'vitest';
import { findLongLines, isTooLong } from './check-line-length.ts';

describe('line length', () => {
  it('finds lines of more than 100 columns', () => {
    expect(findLongLines(`short\n${'word '.repeat(20)}x\n${'y '.repeat(50)}`)).toEqual([2]);
  });

  it('accepts a line without a space to break at', () => {
    expect(findLongLines(`  ${'k'.repeat(120)}`)).toEqual([]);
  });

  it('accepts modules of 300 lines, and tests of 500', () => {
    const text = 'line\n'.repeat(301);
    expect(isTooLong('service/src/a.ts', text)).toBe(true);
    expect(isTooLong('service/src/a.test.ts', text)).toBe(false);
    expect(isTooLong('service/test/a.ts', text.repeat(2))).toBe(true);
    expect(isTooLong('service/migrations/a.sql', text)).toBe(false);
  });
});
