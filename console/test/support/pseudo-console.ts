/** The console with its pseudo-languages, in place of the one that the service serves. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';

const CONSOLE = new URL('../../', import.meta.url).pathname;
const VITE = new URL('../../../node_modules/vite/bin/vite.js', import.meta.url).pathname;

/** Builds it into a new folder, which the caller removes. */
export async function buildPseudoConsole(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'edge-pseudo-console-'));
  await promisify(execFile)(
    process.execPath,
    [VITE, 'build', '--mode', 'pseudo', '--outDir', folder, '--emptyOutDir'],
    { cwd: CONSOLE, env: { ...process.env, NODE_ENV: 'production' } },
  );
  return folder;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Answers pages and their files from the folder, under the policy of the service. */
export async function servePseudoConsole(page: Page, folder: string): Promise<void> {
  const document = readFileSync(join(folder, 'index.html'), 'utf8');
  await page.route('**/*', async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname.startsWith('/assets/'))
      return route.fulfill({
        path: join(folder, pathname),
        contentType: TYPES[extname(pathname)] ?? 'application/octet-stream',
      });
    if (route.request().resourceType() !== 'document') return route.continue();
    const response = await route.fetch();
    const policy = response.headers()['content-security-policy'] ?? '';
    const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? [];
    return route.fulfill({ response, body: document.replaceAll('__CSP_NONCE__', nonce) });
  });
}
