/**
 * A real browser for tests: the Chromium inside an npm package, so that nothing is installed by hand. Its package's own
 * arguments switch web security off, so they are never used.
 */
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packagedChromium from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';
import { RUN_FOLDER } from './run-folder.ts';

const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];

/** Unpacks into a folder of its own: two processes that unpack into one find half a file. */
async function unpackInto(folder: string): Promise<string> {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    return await packagedChromium.executablePath();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

/** Whoever comes first shares what it has unpacked; who unpacked meanwhile takes that instead. */
async function findShared(parent: string): Promise<string> {
  const shared = join(parent, 'browser');
  if (existsSync(shared)) return unpackInto(shared);
  const own = mkdtempSync(join(parent, 'browser-unpacked-'));
  await unpackInto(own);
  try {
    renameSync(own, shared);
  } catch (error) {
    if (!existsSync(shared)) throw error;
    rmSync(own, { recursive: true, force: true });
  }
  return unpackInto(shared);
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
  const browser = await chromium.launch({ executablePath, args: [...ARGUMENTS, ...more], headless: true });
  return {
    browser,
    async close() {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
