/**
 * `npm run dev`: the development server serves the pages, the service everything else, and one
 * signal ends both.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { findFreePort } from '../service/test/support/postgres-server.ts';

const TIMEOUT_MS = 60_000;
const POLL_MS = 100;

/** A GET, repeated until a server responds; a bounded poll of other processes. */
async function get(url: string, accept: string): Promise<Response> {
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; ) {
    const response = await fetch(url, { headers: { accept } }).catch(() => undefined);
    if (response && response.status < 500) return response;
    await wait(POLL_MS);
  }
  throw new Error(`${url} did not respond`);
}

test('pages and API have one origin, and a signal ends both programs', {
  timeout: 2 * TIMEOUT_MS,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'edge-account-dev-'));
  const [pages, service] = [String(await findFreePort()), String(await findFreePort())];
  const program = spawn(process.execPath, [new URL('./dev.ts', import.meta.url).pathname], {
    env: { PATH: process.env.PATH, DEV_PORT: pages, PORT: service, DATA_DIR: folder },
    stdio: 'ignore',
  });
  const ended = once(program, 'exit');
  try {
    const page = await get(`http://localhost:${pages}/wallets`, 'text/html');
    expect(await page.text()).toContain('/src/console.tsx');
    const signIn = await get(`http://localhost:${pages}/authorize`, 'text/html');
    expect(await signIn.text()).toContain('/src/authorize.tsx');
    const discovery = `http://localhost:${pages}/.well-known/openid-configuration`;
    const document = await get(discovery, 'application/json');
    expect(await document.json()).toMatchObject({ issuer: `http://localhost:${pages}` });
  } finally {
    program.kill('SIGINT');
    await ended;
  }
  for (const port of [pages, service])
    await expect(fetch(`http://localhost:${port}/`)).rejects.toThrow();
  rmSync(folder, { recursive: true, force: true });
});
