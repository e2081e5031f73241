/** A real browser for the tests: the one inside `@sparticuz/chromium`, never with its own flags, which switch web security off. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import chromiumPackage from '@sparticuz/chromium';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];

let path: Promise<string> | undefined;

/** Unpacks the browser once, into a folder of this process alone. */
function executablePath(): Promise<string> {
  path ??= (async () => {
    const before = process.env.TMPDIR;
    process.env.TMPDIR = mkdtempSync(join(tmpdir(), 'edge-console-browser-'));
    try {
      return await chromiumPackage.executablePath();
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  })();
  return path;
}

/** Starts a browser; `EDGE_BROWSER` names an installed one to use instead. */
export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.EDGE_BROWSER ?? (await executablePath()), args: FLAGS, headless: true });
}

export interface WatchedContext {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Console errors, uncaught exceptions, policy violations and requests to other hosts, so far. */
  readonly complaints: string[];
}

/** Opens a window in which everything that must never happen is written down. */
export async function openWindow(browser: Browser, baseUrl: string, options: BrowserContextOptions = {}): Promise<WatchedContext> {
  const context = await browser.newContext({ baseURL: baseUrl, locale: 'en-GB', viewport: { width: 390, height: 844 }, ...options });
  const complaints: string[] = [];
  const page = await context.newPage();
  await page.exposeFunction('reportViolation', (text: string) => complaints.push(`policy: ${text}`));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const report = (window as unknown as { reportViolation: (text: string) => void }).reportViolation;
      report(`${event.effectiveDirective} ${event.blockedURI} ${event.sample} ${event.sourceFile}:${event.lineNumber}`);
    });
  });
  page.on('console', (message) => {
    // A refused call is part of a flow; the browser logs it all the same.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== new URL(baseUrl).origin && !['data:', 'blob:'].includes(url.protocol)) complaints.push(`foreign host: ${request.url()}`);
  });
  return { context, page, complaints };
}

/** What axe finds wrong on the page, in words. */
export async function findAccessibilityProblems(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap((violation) => violation.nodes.map((node) => `${violation.id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`));
}
