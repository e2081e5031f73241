/** A month of 50,000 bills is written in little memory. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const CHILD = new URL('../../../test/support/statement-child.ts', import.meta.url).pathname;
/** The document alone has more than 3 MB, its text without compression several times as much. */
const HEAP_MB = 64;

test('50,000 bills fit in a heap of 64 MB', { timeout: 300_000 }, async () => {
  const flags = [`--max-old-space-size=${HEAP_MB}`, '--disable-warning=ExperimentalWarning'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, CHILD]);
  expect(Number(stdout)).toBeGreaterThan(3_000_000);
});
