import { describe, expect, it } from 'vitest';
import { findLongLines } from './check-line-length.ts';

describe('line length', () => {
  it('finds lines of more than 100 columns', () => {
    expect(findLongLines(`short\n${'word '.repeat(20)}x\n${'y '.repeat(50)}`)).toEqual([2]);
  });

  it('accepts a line without a space to break at', () => {
    expect(findLongLines(`  ${'k'.repeat(120)}`)).toEqual([]);
  });
});
