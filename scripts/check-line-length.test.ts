import { describe, expect, it } from 'vitest';
import { findLongFunctions, findLongLines, isTooLong } from './check-line-length.ts';

describe('line length', () => {
  it('finds lines of more than 100 columns', () => {
    expect(findLongLines(`short\n${'word '.repeat(20)}x\n${'y '.repeat(50)}`)).toEqual([2]);
  });

  it('accepts a line without a space to break at', () => {
    expect(findLongLines(`  ${'k'.repeat(120)}`)).toEqual([]);
  });

  it('accepts modules of 250 lines of code, and tests of 500, comments left out', () => {
    const text = 'line\n'.repeat(251);
    expect(isTooLong('service/src/a.ts', text)).toBe(true);
    expect(isTooLong('service/src/a.test.ts', text)).toBe(false);
    expect(isTooLong('service/test/a.ts', text.repeat(2))).toBe(true);
    expect(isTooLong('service/src/a.ts', `${'line\n'.repeat(250)}\n// why\n/** is */\n`)).toBe(
      false,
    );
    expect(isTooLong('service/src/a.ts', 'x *\n2\n'.repeat(126))).toBe(true);
    expect(isTooLong('service/migrations/a.sql', text)).toBe(false);
  });

  it('finds functions of more than 60 lines, SQL and closing braces included', () => {
    const of = (lines: number): string =>
      `const é = 1;\nfunction f() {\n  // why\n\n  return \`${'a\n'.repeat(lines - 3)}\`;\n}\n`;
    expect(findLongFunctions('service/src/a.ts', of(60))).toEqual([]);
    expect(findLongFunctions('service/src/a.ts', of(61))).toEqual([2]);
    expect(findLongFunctions('service/src/a.test.ts', of(61))).toEqual([]);
    expect(findLongFunctions('console/src/a.tsx', `const a = <b>x</b>;\n${of(61)}`)).toEqual([3]);
  });
});
