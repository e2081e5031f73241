/**
 * A real browser for tests: the Chromium inside an npm package, so that nothing is installed by hand. Its package's own
 * arguments switch web security off, so they are never used.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packagedChromium from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];

/** Unpacks into a folder of its own: two processes that unpack into one find half a file. */
async function findExecutable(folder: string): Promise<string> {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    return await packagedChromium.executablePath();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

export interface TestBrowser {
  readonly browser: Browser;
  close(): Promise<void>;
}

/** @param more arguments of the browser itself, for what a page cannot set */
export async function openBrowser(more: readonly string[] = []): Promise<TestBrowser> {
  const folder = mkdtempSync(join(tmpdir(), 'edge-account-chromium-'));
  const browser = await chromium.launch({ executablePath: await findExecutable(folder), args: [...ARGUMENTS, ...more], headless: true });
  return {
    browser,
    async close() {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
