import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isPartOfRun, listTestFiles } from './test-kinds.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
let root = '';

function addFile(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'edge-account-kinds-'));
  addFile('service/test/support/databases.ts', 'export const RUN_ENGINES = 1;\n');
  addFile(
    'service/test/support/browser.ts',
    "import {\n  chromium,\n} from 'playwright-core';\nexport { chromium };\n",
  );
  addFile('service/test/support/lazy.ts', "export const open = () => import('./databases.ts');\n");
  addFile('service/src/pure.ts', "import type { Pool } from 'pg';\nexport type { Pool };\n");
  addFile('service/src/pure.test.ts', "import './pure.ts';\n");
  addFile('service/src/lazy.test.ts', "import { open } from '../test/support/lazy.ts';\n");
  addFile(
    'service/src/direct.test.ts',
    "import { RUN_ENGINES } from '../test/support/databases.ts';\n",
  );
  addFile('service/src/sized.full.test.ts', 'sized({ quick: 1, full: 2, soak: 3 });\n');
  addFile(
    'console/test/page.test.tsx',
    "import '../../service/test/support/browser.ts';\n" +
      "import '../../service/test/support/databases.ts';\n",
  );
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('the kind of a file follows from its imports, type imports excluded', () => {
  expect(listTestFiles(root).map(({ path, kind }) => [path, kind])).toEqual([
    ['console/test/page.test.tsx', 'browser'],
    ['service/src/direct.test.ts', 'engine'],
    ['service/src/lazy.test.ts', 'engine'],
    ['service/src/pure.test.ts', 'unit'],
    ['service/src/sized.full.test.ts', 'unit'],
  ]);
});

test.each([
  [{}, ['page.test.tsx', 'direct.test.ts', 'lazy.test.ts', 'pure.test.ts']],
  [
    { files: 'all' },
    ['page.test.tsx', 'direct.test.ts', 'lazy.test.ts', 'pure.test.ts', 'sized.full.test.ts'],
  ],
  [{ run: 'full' }, ['sized.full.test.ts']],
  [{ run: 'soak' }, ['sized.full.test.ts']],
  [{ engine: 'embedded' }, ['direct.test.ts']],
])('a run with %o has the files %o', (settings, expected) => {
  const files = listTestFiles(root).filter((file) => isPartOfRun(file, settings, []));
  expect(files.map(({ path }) => path.split('/').at(-1))).toEqual(expected);
});

test('a file whose path is an argument is part of every run', () => {
  const files = listTestFiles(root).filter((file) =>
    isPartOfRun(file, {}, ['vitest', 'run', 'service/src/sized.full.test.ts']),
  );
  expect(files.at(-1)?.path).toBe('service/src/sized.full.test.ts');
});

test('known files of the repository have the expected kinds', () => {
  const kinds = new Map(listTestFiles(ROOT).map(({ path, kind }) => [path, kind]));
  expect(kinds.get('service/src/lib/money.test.ts')).toBe('unit');
  expect(kinds.get('service/src/ledger/post-transfers.test.ts')).toBe('engine');
  expect(kinds.get('service/test/process.full.test.ts')).toBe('engine');
  expect(kinds.get('console/test/console.test.ts')).toBe('browser');
  for (const [path, kind] of kinds)
    if (path.startsWith('console/src/')) expect(`${path} ${kind}`).toBe(`${path} unit`);
});
