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

/** Unpacks the browser for a whole run, before its workers would all begin to. */
export async function prepareBrowser(): Promise<void> {
  const parent = process.env[RUN_FOLDER];
  if (parent !== undefined) await findShared(parent);
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

const shared = new Map<string, Promise<TestBrowser>>();

/**
 * A browser that all test files of a worker use, each with contexts of its own. It ends with the worker.
 * @param more arguments of the browser itself; each set of them is another browser
 */
export async function shareBrowser(more: readonly string[] = []): Promise<Browser> {
  const key = more.join(' ');
  const opened = shared.get(key) ?? openBrowser(more);
  shared.set(key, opened);
  return (await opened).browser;
}
