import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkImports } from './check-imports.ts';

// The test tree has the folder names of the repository, so that the same rules apply.
let root = '';

function addFile(path: string, text: string): void {
  const file = join(root, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
}

beforeAll(() => {
  root = mkdtempSync(join(import.meta.dirname, '.planted-'));
  addFile('package.json', '{"type":"module"}');
  addFile(
    'service/src/lib/money.ts',
    "import { pool } from '../db/index.ts';\nexport const money = pool;\n",
  );
  addFile('service/src/db/index.ts', 'export const pool = 1;\n');
  addFile(
    'service/src/ledger/index.ts',
    "import { info } from '../wallets/index.ts';\nexport const post = info;\n",
  );
  addFile(
    'service/src/wallets/index.ts',
    "import { secret } from '../identity/secret.ts';\nexport const info = secret;\n",
  );
  addFile('service/src/identity/secret.ts', 'export const secret = 1;\n');
  addFile('service/src/dashboard/index.ts', "export { a } from './a.ts';\n");
  addFile('service/src/dashboard/a.ts', "import { b } from './b.ts';\nexport const a = b;\n");
  addFile('service/src/dashboard/b.ts', "import { a } from './a.ts';\nexport const b = () => a;\n");
  addFile(
    'console/src/page.ts',
    "import { post } from '../../service/src/ledger/index.ts';\nexport const page = post;\n",
  );
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

test('added violations of the rules are found', () => {
  const { violations, modules } = checkImports(['service/src', 'console/src'], root);
  expect(modules).toBe(9);
  const found = violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
  expect(found).toContain('lib-is-pure: service/src/lib/money.ts -> service/src/db/index.ts');
  expect(found).toContain(
    'identity-and-ledger-know-no-domain: ' +
      'service/src/ledger/index.ts -> service/src/wallets/index.ts',
  );
  expect(found).toContain(
    'one-door: service/src/wallets/index.ts -> service/src/identity/secret.ts',
  );
  expect(found.some((line) => line.startsWith('no-circular: service/src/dashboard/'))).toBe(true);
  expect(found).toContain(
    'console-and-terminal-use-the-sdk-only: console/src/page.ts -> service/src/ledger/index.ts',
  );
});
