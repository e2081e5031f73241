/**
 * A real browser for tests: the Chromium of an npm package, so no manual installation is needed.
 * The package's default arguments disable web security and are not used.
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

/**
 * The package unpacks into the temporary folder of its process. A child process is used, because
 * this process needs its own temporary folder.
 */
async function unpackInto(folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [...CHILD_FLAGS, UNPACK], {
    env: { ...process.env, TMPDIR: folder },
  });
  return stdout;
}

/** The first process shares its unpacked copy; concurrent ones use that instead of theirs. */
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

/** Unpacks the browser once for a run, before its workers start. */
export async function prepareBrowser(): Promise<void> {
  const parent = process.env[RUN_FOLDER];
  if (parent !== undefined) await findShared(parent);
}

/** @param more arguments of the browser, for settings that a page cannot change */
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
 * A browser shared by all test files of a worker, each with its own contexts. It ends with the
 * worker.
 * @param more arguments of the browser; each set starts another browser
 */
export async function shareBrowser(more: readonly string[] = []): Promise<Browser> {
  const key = more.join(' ');
  const opened = shared.get(key) ?? openBrowser(more);
  shared.set(key, opened);
  return (await opened).browser;
}
