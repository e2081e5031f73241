/** `npm run coverage`: the statements of `service/src` and the routes that all tests cover. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [VITEST, CHECK] = ['../node_modules/vitest/vitest.mjs', './tests/check-route-hits.ts'].map(
  (path) => new URL(path, import.meta.url).pathname,
);
const folder = mkdtempSync(join(tmpdir(), 'edge-account-routes-'));
const run = (script: string | undefined, ...args: string[]): number | null =>
  spawnSync(process.execPath, [String(script), ...args], {
    stdio: 'inherit',
    env: { ...process.env, TEST_FILES: 'all', ROUTE_HITS: folder },
  }).status;

const tests = run(VITEST, 'run', '--coverage', ...process.argv.slice(2));
const routes = run(CHECK, folder);
rmSync(folder, { recursive: true, force: true });
process.exitCode = tests === 0 ? (routes ?? 1) : (tests ?? 1);
