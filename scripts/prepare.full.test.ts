/** A checkout that is installed without its development dependencies. */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const ROOT = dirname(import.meta.dirname);
const MOST_BYTES = 150e6;

/** Bytes of all files. */
const measure = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(({ parentPath, name }) => lstatSync(join(parentPath, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);

// npm reads a registry that may be slow.
test('npm ci --omit=dev takes at most 150 MB with the built console, and runs', {
  timeout: 600_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'edge-account-production-'));
  try {
    const listed = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT }).toString();
    for (const path of listed.split('\0').filter(Boolean))
      cpSync(join(ROOT, path), join(folder, path), { verbatimSymlinks: true });
    cpSync(join(ROOT, 'console/dist'), join(folder, 'console/dist'), { recursive: true });
    await run('npm', ['ci', '--omit=dev', '--prefer-offline'], { cwd: folder });
    const size = measure(join(folder, 'node_modules')) + measure(join(folder, 'console/dist'));
    expect(size).toBeLessThan(MOST_BYTES);
    for (const main of ['service/src/main.ts', 'signer/src/main.ts']) {
      const result = await run(process.execPath, [join(folder, main), '--help']).catch((e) => e);
      expect(`${result.stdout}${result.stderr}`, main).toMatch(/edge-(account|signer) /);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
