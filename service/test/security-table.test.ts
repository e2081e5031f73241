/**
 * Every row of the table in docs/security.md has its test, and so does the identity checklist.
 */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url).pathname;
const FILES = globSync('{service,console,terminal,extension,sdk}/{src,test}/**/*.test.{ts,tsx}', {
  cwd: ROOT,
});
/** A text and a function: the arguments of `test`, `test.each(…)` and `describe`. */
const TITLE = /\(\s*(['"`])((?:\\.|(?!\1).)*)\1,\s*(?:async\s*)?\(/g;

const titlesOf = (file: string): string[] =>
  [...readFileSync(ROOT + file, 'utf8').matchAll(TITLE)].map(([, , title = '']) =>
    title.replaceAll('\\', ''),
  );

interface Row {
  readonly number: number;
  readonly files: readonly string[];
  readonly tests: readonly string[];
}

function readRows(): Row[] {
  const lines = readFileSync(`${ROOT}docs/security.md`, 'utf8').split('\n');
  return lines
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => /^\d+$/.test(cells[1] ?? ''))
    .map((cells) => {
      const shown = cells[4] ?? '';
      return {
        number: Number(cells[1]),
        files: [...shown.matchAll(/`([^`]+\.test\.ts)`/g)].map(([, file = '']) => file),
        tests: [...shown.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name),
      };
    });
}

test('the attacks are in one table with consecutive numbers', () => {
  const numbers = readRows().map(({ number }) => number);
  expect(numbers.length).toBeGreaterThan(60);
  expect(numbers).toEqual(numbers.map((_, i) => i + 1));
});

test('every row names an existing test', () => {
  const faults = readRows().flatMap(({ number, files, tests }) => {
    const found = files.map((file) =>
      FILES.find((known) => known === file || known === `service/src/${file}`),
    );
    const titles = found.flatMap((file) => (file === undefined ? [] : titlesOf(file)));
    return [
      ...(files.length === 0 || tests.length === 0 ? [`${number} names no test`] : []),
      ...files
        .filter((_, i) => found[i] === undefined)
        .map((file) => `${number}: there is no ${file}`),
      ...tests
        .filter((name) => !titles.some((title) => title.includes(name)))
        .map((name) => `${number}: no test says "${name}"`),
    ];
  });
  expect(faults).toEqual([]);
});

test('every item of the identity checklist has a test', () => {
  const named = new Set(
    FILES.flatMap(titlesOf)
      .filter((title) => title.startsWith('checklist '))
      .flatMap((title) => (title.split(':', 1)[0] ?? '').match(/\d+/g) ?? [])
      .map(Number),
  );
  expect([...named].sort((a, b) => a - b)).toEqual(Array.from({ length: 15 }, (_, i) => i + 1));
});
