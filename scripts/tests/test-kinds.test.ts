import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listTestFiles } from './test-kinds.ts';

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
  addFile(
    'console/test/page.test.tsx',
    "import '../../service/test/support/browser.ts';\n" +
      "import '../../service/test/support/databases.ts';\n",
  );
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('the kind of a file follows from its imports, type imports excluded', () => {
  expect(listTestFiles(root)).toEqual([
    { path: 'console/test/page.test.tsx', kind: 'browser', hasMore: false },
    { path: 'service/src/direct.test.ts', kind: 'engine', hasMore: true },
    { path: 'service/src/lazy.test.ts', kind: 'engine', hasMore: false },
    { path: 'service/src/pure.test.ts', kind: 'unit', hasMore: false },
  ]);
});

test('known files of the repository have the expected kinds', () => {
  const kinds = new Map(listTestFiles(ROOT).map(({ path, kind }) => [path, kind]));
  expect(kinds.get('service/src/lib/money.test.ts')).toBe('unit');
  expect(kinds.get('service/src/ledger/post-transfers.test.ts')).toBe('engine');
  expect(kinds.get('service/test/process.test.ts')).toBe('engine');
  expect(kinds.get('console/test/console.test.ts')).toBe('browser');
  for (const [path, kind] of kinds)
    if (path.startsWith('console/src/')) expect(`${path} ${kind}`).toBe(`${path} unit`);
});
