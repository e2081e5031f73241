/** What the built sign-in page loads before it can be used. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const DIST = new URL('../dist/', import.meta.url);

function read(path: string): string {
  return readFileSync(new URL(`.${path}`, DIST), 'utf8');
}

test('the sign-in page is one script and one sheet, compiled during the download', () => {
  const page = read('/authorize.html');
  const files = [...page.matchAll(/(?:href|src)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(
    ([, path]) => path ?? '',
  );
  expect(files.map((path) => path.split('.').at(-1)).sort()).toEqual(['css', 'js']);
  const script = read(files.find((path) => path.endsWith('.js')) ?? '');
  expect(script.startsWith('//# allFunctionsCalledOnLoad\n')).toBe(true);
  expect(script).not.toMatch(/from\s*["']\.\//);
});
