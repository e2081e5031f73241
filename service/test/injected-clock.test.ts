/** The service reads the time of an injected clock only: tests and commands choose any instant. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCE = new URL('../src/', import.meta.url).pathname;
const SYSTEM_TIME = /\bDate\.now\(\)|\bnew Date\(\)/;

const readsSystemTime = (file: string): boolean =>
  SYSTEM_TIME.test(readFileSync(join(SOURCE, file), 'utf8'));

test('only the system clock reads the time of the machine', () => {
  const files = globSync('**/*.ts', { cwd: SOURCE }).filter((file) => !file.endsWith('.test.ts'));
  expect(files.filter(readsSystemTime)).toEqual(['lib/clock.ts']);
});
