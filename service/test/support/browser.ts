/**
 * A real browser for tests: the Chromium inside an npm package, so that nothing is installed by hand. Its package's own
 * arguments switch web security off, so they are never used.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { CHILD_FLAGS } from './child-node.ts';
import { RUN_FOLDER } from './run-folder.ts';

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

const UNPACK = new URL('./unpack-browser.ts', import.meta.url).pathname;

/** The package unpacks into the temporary folder of its process: another one, for this has a use for its own meanwhile. */
async function unpackInto(folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [...CHILD_FLAGS, UNPACK], {
    env: { ...process.env, TMPDIR: folder },
  });
  return stdout;
}

/** Whoever comes first shares what it has unpacked; who unpacked meanwhile takes that instead. */
async function findShared(parent: string): Promise<string> {
  const shared = join(parent, 'browser');
  const executable = join(shared, 'chromium');
  if (existsSync(shared)) return executable;
  const own = mkdtempSync(join(parent, 'browser-unpacked-'));
  await unpackInto(own);
  try {
    renameSync(own, shared);
  } catch (error) {
    if (!existsSync(shared)) throw error;
    rmSync(own, { recursive: true, force: true });
  }
  return executable;
}

export interface TestBrowser {
  readonly browser: Browser;
  close(): Promise<void>;
}

/** @param more arguments of the browser itself, for what a page cannot set */
export async function openBrowser(more: readonly string[] = []): Promise<TestBrowser> {
  const parent = process.env[RUN_FOLDER];
  const folder = mkdtempSync(join(tmpdir(), 'edge-account-chromium-'));
  const executablePath = parent === undefined ? await unpackInto(folder) : await findShared(parent);
  const browser = await chromium.launch({
    executablePath,
    args: [...ARGUMENTS, ...more],
    headless: true,
  });
  return {
    browser,
    async close() {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
