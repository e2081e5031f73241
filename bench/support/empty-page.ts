/**
 * The anchor of page loads: React with one button on an empty page, built by the same tools, served
 * by the same code.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { installConsole } from '../../service/src/http/index.ts';
import { findFreePort } from '../../service/test/support/postgres-server.ts';
import { createTestServer } from '../../service/test/support/test-server.ts';

// Inside of the repository, so that React is found.
const FOLDER = new URL('../../artifacts/empty-page/', import.meta.url).pathname;
const VITE = new URL('../../node_modules/vite/bin/vite.js', import.meta.url).pathname;

const INDEX =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Empty</title><div ' +
  'id="root"></div><script type="module" src="/main.js"></script></html>';
const MAIN = `import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
createRoot(document.getElementById('root')).render(createElement('button', { type: 'submit' },
  'Ready'));
`;

export function buildEmptyPage(): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${FOLDER}index.html`, INDEX);
  writeFileSync(`${FOLDER}main.js`, MAIN);
  execFileSync(process.execPath, [VITE, 'build', FOLDER, '--logLevel', 'error'], {
    stdio: 'inherit',
  });
  copyFileSync(`${FOLDER}dist/index.html`, `${FOLDER}dist/authorize.html`);
  const assets = `${FOLDER}dist/assets/`;
  for (const name of readdirSync(assets).filter((entry) => entry.endsWith('.js'))) {
    writeFileSync(
      `${assets}${name}.br`,
      brotliCompressSync(readFileSync(`${assets}${name}`), {
        params: { [constants.BROTLI_PARAM_QUALITY]: 9 },
      }),
    );
  }
}

export interface ServedPage {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves built files; without a folder, the console's own. */
export async function servePage(folder?: string): Promise<ServedPage> {
  const app = createTestServer();
  await installConsole(app as unknown as FastifyInstance, folder === undefined ? {} : { folder });
  const port = await findFreePort();
  await app.listen({ host: '127.0.0.1', port });
  return { url: `http://localhost:${port}`, close: () => app.close() };
}

export function serveEmptyPage(): Promise<ServedPage> {
  return servePage(`${FOLDER}dist/`);
}
